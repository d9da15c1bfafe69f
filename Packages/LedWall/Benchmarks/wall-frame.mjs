// Times one frame of the wall, motion included, in V8: the same formulas as in Swift, each dot with its own exponential
// and sine. Prints the median of five runs in nanoseconds, then that of the algebra that Swift uses (no exponential and
// no sine for each dot), to tell what the algebra gains from what the language does.

const side = 21, dots = side * side, frames = 50000;
const duration = 0.09;

const radius = new Float64Array(dots), phase = new Float64Array(dots);
for (let row = 0; row < side; row++) {
  for (let column = 0; column < side; column++) {
    const dx = (column - 10) / 10, dy = (row - 10) / 10;
    const noise = Math.sin(12.9898 * row + 78.233 * column) * 43758.5453;
    radius[row * side + column] = Math.sqrt(dx * dx + dy * dy);
    phase[row * side + column] = 2 * Math.PI * (noise - Math.floor(noise));
  }
}
const cosines = phase.map(Math.cos), sines = phase.map(Math.sin);

const vis = new Float64Array(dots), size = new Float64Array(dots);

function plainFrame(level, seconds) {
  const t = 30 * seconds, lvl = Math.min(1, 1.3 * level);
  for (let dot = 0; dot < dots; dot++) {
    const rad = radius[dot];
    const falloff = Math.exp(-rad * rad * (2.0 - 1.1 * lvl));
    const ripple = 0.62 + 0.38 * Math.sin(0.32 * t + phase[dot]);
    vis[dot] = Math.min(1, Math.max(0.02, falloff * (0.35 + lvl) * ripple));
    size[dot] = 1 + 1.4 * (1 - rad) * lvl;
  }
}

const line = new Float64Array(side);

function algebraFrame(level, seconds) {
  const t = 30 * seconds, lvl = Math.min(1, 1.3 * level), gain = 0.35 + lvl;
  for (let index = 0; index < side; index++) {
    const x = (index - 10) / 10;
    line[index] = Math.exp(-x * x * (2.0 - 1.1 * lvl));
  }
  const a = 0.62 * gain, s = 0.38 * gain * Math.sin(0.32 * t), c = 0.38 * gain * Math.cos(0.32 * t);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const dot = row * side + column;
      const value = line[row] * line[column] * (a + s * cosines[dot] + c * sines[dot]);
      vis[dot] = Math.min(1, Math.max(0.02, value));
      size[dot] = 1 + 1.4 * (1 - radius[dot]) * lvl;
    }
  }
}

class Approach {
  constructor(values) {
    this.from = values.slice();
    this.to = values.slice();
    this.age = new Float64Array(dots).fill(duration);
    this.value = values.slice();
  }

  advance(step, targets) {
    const { from, to, age, value } = this;
    for (let dot = 0; dot < dots; dot++) {
      const time = Math.min(age[dot] + step, duration);
      const now = time >= duration ? to[dot] : from[dot] + (to[dot] - from[dot]) * (time / duration);
      value[dot] = now;
      age[dot] = time;
      if (targets[dot] !== to[dot]) {
        from[dot] = now;
        to[dot] = targets[dot];
        age[dot] = 0;
      }
    }
  }
}

function median(frame) {
  frame(1 / 90, 0);
  const opacityWay = new Approach(vis), sizeWay = new Approach(size);
  const runs = [];
  for (let run = 0; run <= 5; run++) {
    const start = process.hrtime.bigint();
    let sum = 0;
    for (let index = 0; index < frames; index++) {
      const number = run * frames + index;
      frame((number % 90 + 1) / 90, number / 30);
      opacityWay.advance(1 / 30, vis);
      sizeWay.advance(1 / 30, size);
      sum += opacityWay.value[index % dots] + sizeWay.value[220];
    }
    if (!(sum > 0)) throw new Error("the wall is dark");
    // The first run only warms up.
    if (run > 0) runs.push(Number(process.hrtime.bigint() - start) / frames);
  }
  return runs.sort((left, right) => left - right)[2];
}

console.log(`${median(plainFrame)} ${median(algebraFrame)}`);
