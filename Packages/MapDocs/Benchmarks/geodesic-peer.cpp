// The same measurements as GeodesicBenchmark, by GeographicLib; "compare" prints how far the two are apart at most.
#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/PolygonArea.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

using namespace GeographicLib;

static std::vector<double> read(const std::string& folder, const std::string& name) {
    std::ifstream file(folder + "/" + name + ".points", std::ios::binary | std::ios::ate);
    std::vector<double> numbers(static_cast<size_t>(file.tellg()) / sizeof(double));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(double)));
    return numbers;
}

static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

int main(int, char** arguments) {
    const bool compares = !std::strcmp(arguments[1], "compare");
    const std::string folder = arguments[2];
    const Geodesic& geodesic = Geodesic::WGS84();
    for (const char* name : {"random", "short", "antipodal"}) {
        const auto points = read(folder, name);
        if (compares) {
            const auto results = read(folder, std::string(name) + "-results");
            double distances = 0, azimuths = 0;
            for (size_t i = 0, k = 0; i < points.size(); i += 4, k += 3) {
                double s12, azi1, azi2, m12;
                geodesic.Inverse(points[i], points[i + 1], points[i + 2], points[i + 3], s12, azi1, azi2, m12);
                const double turn = std::max(std::abs(std::remainder(azi1 - results[k + 1], 360)),
                                             std::abs(std::remainder(azi2 - results[k + 2], 360)));
                distances = std::max(distances, std::abs(s12 - results[k]));
                azimuths = std::max(azimuths, turn * Math::degree() * m12);
            }
            std::printf("%s %.1f nm in distance, %.1f nm sideways\n", name, distances * 1e9, azimuths * 1e9);
            continue;
        }
        double sum = 0;
        const double start = now();
        for (size_t i = 0; i < points.size(); i += 4) {
            double s12, azi1, azi2;
            geodesic.Inverse(points[i], points[i + 1], points[i + 2], points[i + 3], s12, azi1, azi2);
            sum += s12 + azi1 + azi2;
        }
        std::printf("%s %.3f %.17g\n", name, (now() - start) / static_cast<double>(points.size() / 4), sum);
    }
    if (compares) return 0;
    for (const char* name : {"ring-100", "ring-10000", "ring-1000000"}) {
        const auto points = read(folder, name);
        const size_t count = points.size() / 2, rounds = std::max<size_t>(1, 100000 / count);
        double sum = 0;
        const double start = now();
        for (size_t round = 0; round < rounds; ++round) {
            PolygonArea polygon(geodesic);
            for (size_t i = 0; i < points.size(); i += 2) polygon.AddPoint(points[i], points[i + 1]);
            double perimeter, area;
            polygon.Compute(false, true, perimeter, area);
            sum += perimeter + area;
        }
        std::printf("%s %.3f %.17g\n", name, (now() - start) / static_cast<double>(count * rounds),
                    sum / static_cast<double>(rounds));
    }
}
