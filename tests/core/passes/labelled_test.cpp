#include "io/document.h"
#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

// label: slow
// needs: models

using namespace fusescope;
using namespace fusescope::test;

// What a person found by looking at a model is what the program says first.
class LabelledTest : public QObject
{
    Q_OBJECT

    struct Label
    {
        std::string model, rule, root, code, why;
    };

    static std::vector<Label> labels()
    {
        std::vector<Label> list;
        std::ifstream file(FUSESCOPE_TEST_DATA "/labelled_refusals.txt");
        for (std::string line; std::getline(file, line);) {
            if (line.empty() || line.front() == '#')
                continue;
            std::vector<std::string> parts;
            for (std::size_t from = 0; from <= line.size();) {
                const std::size_t to = std::min(line.find(" | ", from), line.size());
                parts.push_back(line.substr(from, to - from));
                from = to + 3;
            }
            if (parts.size() == 5)
                list.push_back({parts[0], parts[1], parts[2], parts[3], parts[4]});
        }
        return list;
    }

    // "rule root" → the headline's code, of every row that is blocked at the end.
    static std::map<std::string, std::string> told(const std::string& model)
    {
        std::map<std::string, std::string> codes;
        const auto document =
            Document::open((std::filesystem::path(FUSESCOPE_MODELS) / model).string());
        if (!document)
            return codes;
        Graph graph = (*document)->graph();
        const auto inferred = inferGraph(graph);
        if (!inferred || !graph.apply(inferred->patch))
            return codes;
        const PassRun run = runPasses(graph);
        for (const Blocked& row : run.blocked) {
            const Node* root = run.opened.node(row.miss.root);
            if (!root)
                root = run.graph.node(row.miss.root);
            for (const ValueId output : root ? root->outputs : std::vector<ValueId>()) {
                const Value* value = run.opened.value(output);
                if (value)
                    codes[std::string(row.miss.rule) + " " + value->name] =
                        idOf(row.miss.reasons.front().code);
            }
        }
        return codes;
    }

private Q_SLOTS:
    void everyLabelAgrees()
    {
        const std::vector<Label> all = labels();
        QVERIFY(all.size() >= 120);
        std::map<std::string, std::map<std::string, std::string>> models;
        std::string differing;
        int agree = 0;
        for (const Label& label : all) {
            if (!models.contains(label.model))
                models[label.model] = told(label.model);
            const auto found = models[label.model].find(label.rule + " " + label.root);
            const std::string code =
                found == models[label.model].end() ? "no row" : found->second;
            if (code == label.code)
                ++agree;
            else
                differing += fmt::format("\n{} {} {}: {} ({}), not {}", label.model, label.rule,
                                         label.root, label.code, label.why, code);
        }
        QVERIFY2(differing.empty(),
                 fmt::format("{} of {} agree{}", agree, all.size(), differing).c_str());
    }
};

FUSESCOPE_TEST(LabelledTest, labelled_test)
#include "labelled_test.moc"
