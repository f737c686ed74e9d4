#include "ops/generation/fourier.h"

#include <bit>
#include <numbers>

namespace fusescope::generation {

namespace {

using Complex = FourierTransform::Complex;

// Odd lengths up to this one are transformed by the definition, which has the least error.
constexpr std::size_t longestByDefinition = 1023;

Complex root(double sign, std::size_t numerator, std::size_t denominator)
{
    return std::polar(1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(numerator) /
                               static_cast<double>(denominator));
}

// The plain product: that of the library looks for infinities first.
Complex product(const Complex& a, const Complex& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

void reverseBits(std::vector<Complex>& line)
{
    for (std::size_t i = 1, j = 0; i < line.size(); ++i) {
        std::size_t bit = line.size() >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(line[i], line[j]);
    }
}

} // namespace

FourierTransform::FourierTransform(std::size_t size, double sign, StopPoll& poll)
    : m_size(size), m_poll(poll)
{
    if (std::has_single_bit(size)) {
        m_roots.resize(size);
        for (std::size_t half = 1; half < size; half *= 2)
            setRoots(half, half, [&](std::size_t k) { return root(sign, k, 2 * half); });
    } else if (size % 2 == 0) {
        m_roots.resize(size / 2);
        setRoots(0, size / 2, [&](std::size_t k) { return root(sign, k, size); });
        m_part = std::make_unique<const FourierTransform>(size / 2, sign, poll);
    } else if (size <= longestByDefinition) {
        m_roots.resize(size);
        setRoots(0, size, [&](std::size_t k) { return root(sign, k, size); });
    } else {
        setChirp(sign);
    }
}

void FourierTransform::setRoots(std::size_t first, std::size_t count, auto rootOf)
{
    for (std::size_t k = 0; k < count; ++k) {
        m_poll();
        m_roots[first + k] = rootOf(k);
    }
}

void FourierTransform::setChirp(double sign)
{
    const std::size_t size = m_size;
    m_roots.resize(size);
    setRoots(0, size, [&](std::size_t k) { return root(sign, k * k % (2 * size), 2 * size); });
    const std::size_t padded = std::bit_ceil(2 * size - 1);
    m_part = std::make_unique<const FourierTransform>(padded, -1.0, m_poll);
    m_chirp.resize(padded);
    for (std::size_t k = 0; k < size; ++k)
        m_chirp[k] = m_chirp[(padded - k) % padded] = std::conj(m_roots[k]);
    (*m_part)(m_chirp);
    for (Complex& element : m_chirp)
        element /= static_cast<double>(padded);
}

void FourierTransform::operator()(std::vector<Complex>& line) const
{
    if (std::has_single_bit(m_size))
        byBits(line);
    else if (m_size % 2 == 0)
        byHalves(line);
    else if (m_size <= longestByDefinition)
        byDefinition(line);
    else
        byChirp(line);
}

void FourierTransform::byBits(std::vector<Complex>& line) const
{
    reverseBits(line);
    combine(std::span(line));
}

// Depth first, so that the levels of a part are done while it is in the cache.
void FourierTransform::combine(std::span<Complex> part) const
{
    const std::size_t half = part.size() / 2;
    if (half == 0)
        return;
    combine(part.first(half));
    combine(part.subspan(half));
    m_poll();
    const Complex* roots = m_roots.data() + half;
    Complex* low = part.data();
    Complex* high = low + half;
    for (std::size_t k = 0; k < half; ++k) {
        const Complex turned = product(roots[k], high[k]);
        high[k] = low[k] - turned;
        low[k] += turned;
    }
}

void FourierTransform::byHalves(std::vector<Complex>& line) const
{
    const std::size_t half = m_size / 2;
    std::vector<Complex> even(half);
    std::vector<Complex> odd(half);
    for (std::size_t i = 0; i < half; ++i) {
        even[i] = line[2 * i];
        odd[i] = line[2 * i + 1];
    }
    (*m_part)(even);
    (*m_part)(odd);
    for (std::size_t k = 0; k < half; ++k) {
        m_poll();
        const Complex turned = product(m_roots[k], odd[k]);
        line[k] = even[k] + turned;
        line[k + half] = even[k] - turned;
    }
}

void FourierTransform::byDefinition(std::vector<Complex>& line) const
{
    std::vector<Complex> result(m_size);
    for (std::size_t k = 0; k < m_size; ++k) {
        for (std::size_t n = 0; n < m_size; ++n) {
            m_poll();
            result[k] += product(line[n], m_roots[k * n % m_size]);
        }
    }
    line = std::move(result);
}

// As a convolution with a chirp, since k n = (k^2 + n^2 - (k - n)^2) / 2 (Bluestein, A linear
// filtering approach to the computation of the discrete Fourier transform, 1970).
void FourierTransform::byChirp(std::vector<Complex>& line) const
{
    std::vector<Complex> padded(m_chirp.size());
    for (std::size_t k = 0; k < m_size; ++k)
        padded[k] = product(line[k], m_roots[k]);
    (*m_part)(padded);
    // Back by the forward transform of the conjugate.
    for (std::size_t k = 0; k < padded.size(); ++k)
        padded[k] = std::conj(product(padded[k], m_chirp[k]));
    (*m_part)(padded);
    for (std::size_t k = 0; k < m_size; ++k)
        line[k] = product(std::conj(padded[k]), m_roots[k]);
}

} // namespace fusescope::generation
