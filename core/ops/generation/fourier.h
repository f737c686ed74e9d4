#pragma once

#include "ops/stoppable.h"

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace fusescope::generation {

// y[k] = sum over n of x[n] exp(sign 2 pi i k n / N), for lines of one length N; sign is -1 forward
// and 1 back, and nothing is scaled. What depends on N alone is computed once. Takes time in
// proportion to N log N for every N.
class FourierTransform
{
public:
    using Complex = std::complex<double>;

    // May throw StopPoll::Stopped, as the call does.
    FourierTransform(std::size_t size, double sign, StopPoll& poll);

    void operator()(std::vector<Complex>& line) const; // of N elements, in place

private:
    void setRoots(std::size_t first, std::size_t count, auto rootOf);
    void setChirp(double sign);
    void byBits(std::vector<Complex>& line) const;
    void combine(std::span<Complex> part) const;
    void byHalves(std::vector<Complex>& line) const;
    void byDefinition(std::vector<Complex>& line) const;
    void byChirp(std::vector<Complex>& line) const;

    std::size_t m_size;
    StopPoll& m_poll;
    // exp(sign 2 pi i k / N); of a power of two those of each level, from its half on; of a chirp
    // its elements.
    std::vector<Complex> m_roots;
    std::vector<Complex> m_chirp;                   // transformed, for byChirp
    std::unique_ptr<const FourierTransform> m_part; // of a half, or of the padded chirp
};

} // namespace fusescope::generation
