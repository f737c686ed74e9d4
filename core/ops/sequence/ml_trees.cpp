#include "ops/sequence/ml_support.h"
#include "ops/sequence/sequence.h"

#include <map>

namespace fusescope::sequence {

namespace {

enum class Compare { lessEqual, less, greaterEqual, greater, equal, notEqual, member, leaf };

// One weight that a leaf gives to one target.
struct Share
{
    std::int64_t target = 0;
    double weight = 0.0;
};

struct TreeNode
{
    Compare compare = Compare::leaf;
    bool missingIsTrue = false;
    std::int64_t feature = 0;
    double split = 0.0;
    std::vector<double> members; // sorted
    std::size_t yes = 0, no = 0;
    std::vector<Share> shares; // of a leaf
};

struct Forest
{
    std::vector<TreeNode> nodes;
    std::vector<std::size_t> roots;
};

tl::unexpected<Error> badData(const KernelContext& c, const char* attribute)
{
    return c.wrong({"ops.bad-model-data",
                    {{"operator", c.node().op.type}, {"attribute", std::string(attribute)}}});
}

bool goesYes(const TreeNode& node, double x)
{
    if (std::isnan(x) && node.missingIsTrue)
        return true;
    switch (node.compare) {
    case Compare::lessEqual:
        return x <= node.split;
    case Compare::less:
        return x < node.split;
    case Compare::greaterEqual:
        return x >= node.split;
    case Compare::greater:
        return x > node.split;
    case Compare::equal:
        return x == node.split;
    case Compare::notEqual:
        return x != node.split;
    default:
        return std::ranges::binary_search(node.members, x);
    }
}

// The leaf that a row reaches; nothing when the tree runs in circles.
const TreeNode* leafOf(const Forest& forest, std::size_t at, const Rows& rows, std::int64_t row)
{
    for (std::size_t steps = 0; steps <= forest.nodes.size(); ++steps) {
        const TreeNode& node = forest.nodes[at];
        if (node.compare == Compare::leaf)
            return &node;
        at = goesYes(node, rows.at(row, node.feature)) ? node.yes : node.no;
    }
    return nullptr;
}

std::optional<Compare> compareOf(std::string_view mode)
{
    constexpr std::pair<std::string_view, Compare> modes[] = {
        {"BRANCH_LEQ", Compare::lessEqual},
        {"BRANCH_LT", Compare::less},
        {"BRANCH_GTE", Compare::greaterEqual},
        {"BRANCH_GT", Compare::greater},
        {"BRANCH_EQ", Compare::equal},
        {"BRANCH_NEQ", Compare::notEqual},
        {"LEAF", Compare::leaf},
    };
    for (const auto& [name, compare] : modes) {
        if (name == mode)
            return compare;
    }
    return std::nullopt;
}

// The trees of versions 1 and 3: nodes named by (tree, node), leaves by `prefix` attributes.
Result<Forest> olderForest(const KernelContext& c, const std::string& prefix, std::int64_t width,
                           std::int64_t targets)
{
    const Attributes& a = c.attributes();
    const auto trees = intsOr(a, "nodes_treeids", {});
    const auto ids = intsOr(a, "nodes_nodeids", {});
    const auto features = intsOr(a, "nodes_featureids", {});
    const auto yes = intsOr(a, "nodes_truenodeids", {});
    const auto no = intsOr(a, "nodes_falsenodeids", {});
    const auto missing = intsOr(a, "nodes_missing_value_tracks_true", {});
    const auto modes = a.getStrings("nodes_modes").value_or(std::vector<std::string>{});
    const auto splits = numbersOf(a, "nodes_values", "nodes_values_as_tensor");
    const std::size_t count = trees.size();
    if (ids.size() != count || features.size() != count || yes.size() != count ||
        no.size() != count || modes.size() != count || splits.size() != count ||
        (!missing.empty() && missing.size() != count))
        return badData(c, "nodes_*");
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> places;
    for (std::size_t i = 0; i < count; ++i)
        places[{trees[i], ids[i]}] = i;
    Forest forest;
    for (std::size_t i = 0; i < count; ++i) {
        TreeNode node;
        const auto compare = compareOf(modes[i]);
        if (!compare)
            return c.wrong(wrongAttribute("nodes_modes", "BRANCH_*, LEAF", modes[i]));
        node.compare = *compare;
        node.split = splits[i];
        node.feature = features[i];
        node.missingIsTrue = !missing.empty() && missing[i] != 0;
        if (node.compare != Compare::leaf) {
            const auto whenYes = places.find({trees[i], yes[i]});
            const auto whenNo = places.find({trees[i], no[i]});
            if (whenYes == places.end() || whenNo == places.end() || node.feature < 0 ||
                node.feature >= width)
                return badData(c, "nodes_truenodeids, nodes_featureids");
            node.yes = whenYes->second;
            node.no = whenNo->second;
        }
        if (i == 0 || trees[i] != trees[i - 1])
            forest.roots.push_back(i);
        forest.nodes.push_back(std::move(node));
    }
    const auto leafTrees = intsOr(a, (prefix + "_treeids").c_str(), {});
    const auto leafNodes = intsOr(a, (prefix + "_nodeids").c_str(), {});
    const auto leafTargets = intsOr(a, (prefix + "_ids").c_str(), {});
    const auto weights =
        numbersOf(a, (prefix + "_weights").c_str(), (prefix + "_weights_as_tensor").c_str());
    if (leafNodes.size() != leafTrees.size() || leafTargets.size() != leafTrees.size() ||
        weights.size() != leafTrees.size())
        return badData(c, "leaves");
    for (std::size_t i = 0; i < leafTrees.size(); ++i) {
        const auto place = places.find({leafTrees[i], leafNodes[i]});
        if (place == places.end() || leafTargets[i] < 0 || leafTargets[i] >= targets)
            return badData(c, "leaves");
        forest.nodes[place->second].shares.push_back({leafTargets[i], weights[i]});
    }
    return forest;
}

// The trees of version 5: nodes and leaves are numbered apart; leaves follow the nodes here.
Result<Forest> newerForest(const KernelContext& c, std::int64_t width, std::int64_t targets)
{
    const Attributes& a = c.attributes();
    const auto features = intsOr(a, "nodes_featureids", {});
    const auto yes = intsOr(a, "nodes_truenodeids", {});
    const auto no = intsOr(a, "nodes_falsenodeids", {});
    const auto yesLeaf = intsOr(a, "nodes_trueleafs", {});
    const auto noLeaf = intsOr(a, "nodes_falseleafs", {});
    const auto missing = intsOr(a, "nodes_missing_value_tracks_true", {});
    const auto modes = numbersOf(a, "", "nodes_modes");
    const auto splits = numbersOf(a, "", "nodes_splits");
    const auto weights = numbersOf(a, "", "leaf_weights");
    const auto members = numbersOf(a, "", "membership_values");
    const auto leafTargets = intsOr(a, "leaf_targetids", {});
    const std::size_t count = features.size();
    if (yes.size() != count || no.size() != count || yesLeaf.size() != count ||
        noLeaf.size() != count || modes.size() != count || splits.size() != count ||
        (!missing.empty() && missing.size() != count) || leafTargets.size() != weights.size())
        return badData(c, "nodes_*, leaf_*");
    Forest forest;
    const auto place = [&](std::int64_t id, bool leaf) -> std::optional<std::size_t> {
        const std::size_t limit = leaf ? weights.size() : count;
        if (id < 0 || static_cast<std::size_t>(id) >= limit)
            return std::nullopt;
        return static_cast<std::size_t>(id) + (leaf ? count : 0);
    };
    std::size_t nextMember = 0;
    for (std::size_t i = 0; i < count; ++i) {
        TreeNode node;
        if (!(modes[i] >= 0.0 && modes[i] <= 6.0))
            return c.wrong(wrongAttribute("nodes_modes", "0 … 6", std::to_string(modes[i])));
        node.compare = static_cast<Compare>(static_cast<int>(modes[i]));
        node.feature = features[i];
        node.split = splits[i];
        node.missingIsTrue = !missing.empty() && missing[i] != 0;
        const auto whenYes = place(yes[i], yesLeaf[i] != 0);
        const auto whenNo = place(no[i], noLeaf[i] != 0);
        if (!whenYes || !whenNo || node.feature < 0 || node.feature >= width)
            return badData(c, "nodes_truenodeids, nodes_featureids");
        node.yes = *whenYes;
        node.no = *whenNo;
        if (node.compare == Compare::member) {
            while (nextMember < members.size() && !std::isnan(members[nextMember]))
                node.members.push_back(members[nextMember++]);
            ++nextMember;
            std::ranges::sort(node.members);
        }
        forest.nodes.push_back(std::move(node));
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (leafTargets[i] < 0 || leafTargets[i] >= targets)
            return badData(c, "leaf_targetids");
        TreeNode leaf;
        leaf.shares.push_back({leafTargets[i], weights[i]});
        forest.nodes.push_back(std::move(leaf));
    }
    for (const std::int64_t root : intsOr(a, "tree_roots", {})) {
        if (root < 0 || static_cast<std::size_t>(root) >= count)
            return badData(c, "tree_roots");
        forest.roots.push_back(static_cast<std::size_t>(root));
    }
    return forest;
}

enum class Aggregate { average, sum, least, greatest };

// The scores of one row: what its leaves give to each target. Targets that no leaf names stay 0.
Result<std::vector<double>> scoresOf(const KernelContext& c, const Forest& forest, const Rows& rows,
                                     std::int64_t row, std::size_t targets, Aggregate aggregate)
{
    std::vector<double> scores(targets, 0.0);
    std::vector<bool> seen(targets);
    for (const std::size_t root : forest.roots) {
        const TreeNode* leaf = leafOf(forest, root, rows, row);
        if (!leaf)
            return badData(c, "nodes_truenodeids");
        for (const Share& share : leaf->shares) {
            const auto target = static_cast<std::size_t>(share.target);
            double& score = scores[target];
            if (!seen[target])
                score = share.weight;
            else if (aggregate == Aggregate::least)
                score = std::min(score, share.weight);
            else if (aggregate == Aggregate::greatest)
                score = std::max(score, share.weight);
            else
                score += share.weight;
            seen[target] = true;
        }
    }
    for (double& score : scores) {
        if (aggregate == Aggregate::average && !forest.roots.empty())
            score /= static_cast<double>(forest.roots.size());
    }
    return scores;
}

Dim rowsOf(const InferenceContext& c)
{
    const Shape& input = c.shape(0);
    return input.hasRank() && input.rank() == 2   ? input[0]
           : input.hasRank() && input.rank() == 1 ? Dim(1)
                                                  : c.unknown(0, 0);
}

bool isNewer(const Node& node)
{
    return node.op.type == "TreeEnsemble";
}

Result<void> inferEnsemble(InferenceContext& c)
{
    const DType type = isNewer(c.node()) ? c.dtype(0) : DType::float32;
    c.setTensor(
        0, type,
        Shape::of({rowsOf(c), std::max<std::int64_t>(c.attributes().getInt("n_targets", 1), 0)}));
    return {};
}

Result<void> runEnsemble(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const Attributes& a = c.attributes();
    const std::int64_t targets = a.getInt("n_targets", 1);
    if (targets < 1 || targets > (1 << 24))
        return c.wrong(wrongAttribute("n_targets", "1 … " + std::to_string(1 << 24), std::to_string(targets)));
    const bool newer = isNewer(c.node());
    constexpr std::string_view aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"};
    constexpr std::string_view transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO",
                                               "PROBIT"};
    std::size_t aggregate = 1;
    std::string transform = transformName(a);
    if (newer) {
        const std::int64_t given = a.getInt("aggregate_function", 1);
        if (given < 0 || given > 3)
            return c.wrong(wrongAttribute("aggregate_function", "0 … 3", std::to_string(given)));
        aggregate = static_cast<std::size_t>(given);
        transform = transforms[std::clamp<std::int64_t>(a.getInt("post_transform", 0), 0, 4)];
    } else {
        const std::string name = a.getString("aggregate_function", "SUM");
        aggregate = static_cast<std::size_t>(std::ranges::find(aggregates, name) - aggregates);
        if (aggregate > 3)
            return c.wrong(wrongAttribute("aggregate_function", "AVERAGE, SUM, MIN, MAX", name));
    }
    FUSESCOPE_ASSIGN(const Forest forest, newer ? newerForest(c, rows.width, targets)
                                                : olderForest(c, "target", rows.width, targets));
    const auto base = numbersOf(a, "base_values", "base_values_as_tensor");
    if (!base.empty() && base.size() != static_cast<std::size_t>(targets))
        return badData(c, "base_values");
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(newer ? rows.tensor->dtype() : DType::float32,
                                               {rows.count, targets}));
    for (std::int64_t row = 0; row < rows.count; ++row) {
        FUSESCOPE_ASSIGN(auto scores,
                         scoresOf(c, forest, rows, row, static_cast<std::size_t>(targets),
                                  static_cast<Aggregate>(aggregate)));
        for (std::size_t k = 0; k < base.size(); ++k)
            scores[k] += base[k];
        FUSESCOPE_TRY(transformScores(c, transform, scores));
        for (std::int64_t k = 0; k < targets; ++k)
            output.store(row * targets + k, scores[static_cast<std::size_t>(k)]);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferTreeClassifier(InferenceContext& c)
{
    return inferClassifier(c, "classlabels_int64s", "classlabels_strings");
}

// Where all leaves name one class of two, its score decides between them.
Result<void> runClassifier(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const Labels labels = labelsOf(c.attributes(), "classlabels_int64s", "classlabels_strings");
    const std::size_t classes = labels.size();
    if (classes == 0)
        return c.wrong(missingAttribute("classlabels_int64s"));
    FUSESCOPE_ASSIGN(const Forest forest,
                     olderForest(c, "class", rows.width, static_cast<std::int64_t>(classes)));
    const auto base = numbersOf(c.attributes(), "base_values", "base_values_as_tensor");
    const auto ids = intsOr(c.attributes(), "class_ids", {});
    const bool binary = classes == 2 && !ids.empty() &&
                        std::ranges::all_of(ids, [&](auto id) { return id == ids[0]; });
    const std::string transform = transformName(c.attributes());
    std::vector<std::size_t> chosen;
    std::vector<std::vector<double>> all;
    for (std::int64_t row = 0; row < rows.count; ++row) {
        FUSESCOPE_ASSIGN(auto scores, scoresOf(c, forest, rows, row, classes, Aggregate::sum));
        if (binary) {
            double score = scores[static_cast<std::size_t>(ids[0])];
            if (base.size() == 1 || base.size() == 2)
                score += base.back();
            const bool probability = transform == "NONE" || transform == "PROBIT";
            scores = {probability ? 1.0 - score : -score, score};
        } else {
            for (std::size_t k = 0; k < std::min(base.size(), classes); ++k)
                scores[k] += base[k];
        }
        FUSESCOPE_TRY(transformScores(c, transform, scores));
        chosen.push_back(
            static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin()));
        all.push_back(std::move(scores));
    }
    return setClassified(c, labels, chosen, all);
}

constexpr OpEntry entries[] = {
    {mlDomain, "TreeEnsemble", 5, inferEnsemble, runEnsemble},
    {mlDomain, "TreeEnsembleRegressor", 1, inferEnsemble, runEnsemble},
    {mlDomain, "TreeEnsembleClassifier", 1, inferTreeClassifier, runClassifier},
};

} // namespace

std::span<const OpEntry> mlTrees()
{
    return entries;
}

} // namespace fusescope::sequence
