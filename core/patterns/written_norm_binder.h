#pragma once

#include "patterns/written_norm.h"

#include <optional>

namespace fusescope {

// A standard operator that reads two values.
bool isTwo(const Node& node);

// Binds the parts of a normalization written out by operators alone; the conditions stand in
// written_norm_conditions.cpp. Each call binds, or gives false where the operators are others: the
// normalization is then of no use.
class WrittenNormBinder
{
public:
    WrittenNormBinder(const GraphView& view, WrittenNorm& norm) : m_view(view), m_norm(norm) {}

    // numerator / √(mean(d²) + ε)
    bool quotient(NodeId id, ValueId numerator, ValueId root);
    // numerator · (mean(d²) + ε)^−½, numerator · 1/√(mean(d²) + ε)
    bool product(NodeId id, ValueId numerator, ValueId inverse);
    // 1/√(mean((x − m)²) + ε), in x·r + (β − m·r)
    bool spread(NodeId id, ValueId x, ValueId mean, ValueId inverse);

private:
    // A mean along axes that it keeps, or that an Unsqueeze or Reshape brings back.
    struct Mean
    {
        NodeId mean, expand;
    };
    Mean meanAt(ValueId value) const;
    void take(const Mean& mean);
    // x − mean(x), or turned.
    struct Center
    {
        NodeId sub;
        Mean mean;
        ValueId x, average;
        bool turned = false;
    };
    std::optional<Center> centerAt(ValueId value) const;

    bool rootAt(ValueId root);
    bool inverseRootAt(ValueId inverse);
    bool rest(ValueId shifted);
    bool square(ValueId value);
    bool base(ValueId numerator);

    const GraphView& m_view;
    WrittenNorm& m_norm;
    ValueId m_squared;
};

} // namespace fusescope
