// Writes number_reference.csv: numbers by the bits of their binary64 form, and how ECMAScript writes them.
// The first rows are those of RFC 8785, appendix B; the others are drawn with a fixed seed.
//     node make_number_reference.js
const fs = require("fs");
const appendixB = `0000000000000000 8000000000000000 0000000000000001 8000000000000001 7fefffffffffffff ffefffffffffffff
4340000000000000 c340000000000000 4430000000000000 44b52d02c7e14af5 44b52d02c7e14af6 44b52d02c7e14af7 444b1ae4d6e2ef4e
444b1ae4d6e2ef4f 444b1ae4d6e2ef50 3eb0c6f7a0b5ed8c 3eb0c6f7a0b5ed8d 41b3de4355555553 41b3de4355555554 41b3de4355555555
41b3de4355555556 41b3de4355555557 becbf647612f3696 43143ff3c1cb0959`.split(/\s+/);
const view = new DataView(new ArrayBuffer(8));
const rows = [];
function add(bits) {
    view.setBigUint64(0, bits);
    const value = view.getFloat64(0);
    if (Number.isFinite(value)) rows.push(`${bits.toString(16).padStart(16, "0")},${String(value)}`);
}
for (const bits of appendixB) add(BigInt("0x" + bits));
let seed = 20261129n;
function next() { // SplitMix64
    seed = BigInt.asUintN(64, seed + 0x9e3779b97f4a7c15n);
    let z = seed;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
}
for (let i = 0; i < 200; i++) add(next());
for (let i = 0; i < 200; i++) {
    const digits = Number(next() % 10n ** BigInt(1 + i % 17));
    view.setFloat64(0, digits * Math.pow(10, Number(next() % 40n) - 20));
    add(view.getBigUint64(0));
}
fs.writeFileSync("number_reference.csv", "bits,text\n" + rows.join("\n") + "\n");
