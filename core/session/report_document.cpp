#include "session/report_document.h"

#include "session/gains.h"

#include <fmt/format.h>

#include <set>

namespace fusescope {

namespace {

class DocumentMaker
{
public:
    DocumentMaker(const ReportData& data, const Translate& translate)
        : m_data(data), m_translate(translate)
    {
    }

    ReportDocument make()
    {
        const std::string name = fileNameOf(m_data.info.path);
        m_document.language = say("report.language");
        m_document.title = say("report.title", {{"file", name}});
        m_document.subtitle = subtitle();
        verdict();
        summary();
        gains();
        operators();
        problems();
        steps();
        blocked();
        numbers();
        times();
        return std::move(m_document);
    }

private:
    std::string say(TextId id, std::vector<std::pair<std::string, MessageArg>> args = {}) const
    {
        return render(Message(id, std::move(args)), nullptr, m_translate);
    }

    static std::string fileNameOf(const std::string& path)
    {
        const auto slash = path.rfind('/');
        return slash == std::string::npos ? path : path.substr(slash + 1);
    }

    void heading(TextId id) { m_document.blocks.emplace_back(ReportHeading{say(id)}); }
    void paragraph(std::string text)
    {
        m_document.blocks.emplace_back(ReportParagraph{std::move(text)});
    }

    std::string subtitle() const
    {
        std::string opsets;
        for (const auto& [domain, version] : m_data.info.opsets)
            opsets += fmt::format("{}{} {}", opsets.empty() ? "" : ", ",
                                  domain.empty() ? "ai.onnx" : domain, version);
        std::string producer = m_data.info.producer;
        if (!m_data.info.producerVersion.empty())
            producer += " " + m_data.info.producerVersion;
        std::string line = say("report.subtitle", {{"ir", m_data.info.irVersion}, {"opsets", opsets}});
        if (!producer.empty())
            line += " " + say("report.producer", {{"producer", producer}});
        return line;
    }

    void verdict()
    {
        heading("report.verdict");
        std::size_t applied = 0;
        for (const ReportStep& step : m_data.steps)
            applied += step.applied ? 1 : 0;
        paragraph(say("report.counts", {{"before", std::int64_t(m_data.before.nodes)},
                                        {"after", std::int64_t(m_data.after.nodes)},
                                        {"steps", std::int64_t(applied)},
                                        {"blocked", std::int64_t(m_data.blocked.size())}}));
        const Comparison& proof = m_data.verification;
        double largest = 0;
        for (const TensorComparison& one : proof.outputs)
            largest = std::max(largest, one.maxAbs);
        const std::string delta = fmt::format("{:.3g}", largest);
        switch (proof.status) {
        case VerificationStatus::pass:
            paragraph(say("report.pass", {{"delta", delta}, {"executor", proof.executor}}));
            break;
        case VerificationStatus::partial:
            paragraph(say("report.partial", {{"delta", delta}, {"why", m_data.why}}));
            break;
        case VerificationStatus::fail:
            paragraph(say("report.fail", {{"delta", delta}, {"why", m_data.why}}));
            break;
        case VerificationStatus::notRun:
            paragraph(say("report.not-run", {{"why", m_data.why}}));
            break;
        }
        if (!m_data.cut.empty()) {
            std::string names;
            for (const std::string& name : m_data.cut)
                names += (names.empty() ? "" : ", ") + name;
            paragraph(say("report.cut", {{"nodes", names}}));
        }
    }

    static std::string change(double before, double after)
    {
        if (before == after || before == 0)
            return before == after ? "0" : fmt::format("{:+.0f}", after - before);
        return fmt::format("{:+.1f} %", (after - before) / before * 100);
    }

    void summary()
    {
        heading("report.summary");
        ReportTable table;
        table.head = {say("report.what"), say("report.before"), say("report.after"),
                      say("report.change")};
        table.numeric = {false, true, true, true};
        const ModelFigures &a = m_data.before, &b = m_data.after;
        const auto row = [&table, this](TextId name, double before, double after) {
            table.rows.push_back({say(name), fmt::format("{:.0f}", before),
                                  fmt::format("{:.0f}", after), change(before, after)});
        };
        row("report.nodes", double(a.nodes), double(b.nodes));
        row("report.initializers", double(a.initializers), double(b.initializers));
        row("report.parameters", double(a.parameters), double(b.parameters));
        row("report.bytes", double(a.bytes), double(b.bytes));
        row("report.activation-bytes", double(a.activationBytes), double(b.activationBytes));
        row("report.flops", a.flops, b.flops);
        m_document.blocks.emplace_back(std::move(table));
        if (a.approximate || b.approximate)
            paragraph(say("report.approximate"));
    }

    void gains()
    {
        heading("report.gains");
        ReportTable table;
        table.head = {say("report.what"), say("report.expected"), say("report.measured"),
                      say("report.result")};
        table.numeric = {false, true, true, false};
        for (const Gain& gain : gainsOf(m_data.before, m_data.after, mediansOf(m_data))) {
            const TextId name = gain.what == Gain::What::size     ? TextId("gain.size")
                                : gain.what == Gain::What::memory ? TextId("gain.memory")
                                                                  : TextId("gain.speed");
            const TextId verdict = !gain.measured    ? TextId("gain.not-measured")
                                   : gain.isReached() ? TextId("gain.reached")
                                                      : TextId("gain.not-reached");
            table.rows.push_back({say(name), fmt::format("{:+.0f} … {:+.0f} %", gain.from, gain.to),
                                  gain.measured ? fmt::format("{:+.1f} %", *gain.measured) : "–",
                                  say(verdict)});
        }
        m_document.blocks.emplace_back(std::move(table));
        paragraph(say("gain.note"));
    }

    void operators()
    {
        heading("report.operators");
        ReportTable table;
        table.head = {say("report.operator"), say("report.before"), say("report.after")};
        table.numeric = {false, true, true};
        std::set<std::string> names;
        for (const auto& [name, count] : m_data.before.operators)
            names.insert(name);
        for (const auto& [name, count] : m_data.after.operators)
            names.insert(name);
        const auto count = [](const ModelFigures& figures, const std::string& name) {
            const auto found = figures.operators.find(name);
            return std::to_string(found == figures.operators.end() ? 0 : found->second);
        };
        for (const std::string& name : names)
            table.rows.push_back({name, count(m_data.before, name), count(m_data.after, name)});
        m_document.blocks.emplace_back(std::move(table));
    }

    void problems()
    {
        if (m_data.problems.empty())
            return;
        heading("report.problems");
        for (const ReportProblem& problem : m_data.problems)
            paragraph(problem.message);
    }

    void steps()
    {
        heading("report.steps");
        if (m_data.steps.empty())
            return paragraph(say("report.no-steps"));
        ReportTable table;
        table.head = {say("report.number"), say("report.rule"), say("report.title-of-step"),
                      say("report.nodes"), say("report.saves")};
        table.numeric = {true, false, false, true, false};
        for (const ReportStep& step : m_data.steps) {
            std::string title = step.title;
            if (!step.applied)
                title += " " + say("report.skipped");
            for (const ReportReason& remark : step.remarks)
                title += " " + remark.message;
            table.rows.push_back({std::to_string(step.number), step.ruleName, title,
                                  fmt::format("−{} +{} ~{}", step.removed, step.added,
                                              step.changed),
                                  savesOf(step)});
        }
        m_document.blocks.emplace_back(std::move(table));
        if (m_data.sizes.empty())
            return;
        std::string sizes;
        for (const auto& [symbol, size] : m_data.sizes)
            sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", symbol, size);
        paragraph(say("report.saves-at", {{"sizes", sizes}}));
    }

    std::string savesOf(const ReportStep& step) const
    {
        const Cost& cost = step.saves;
        if (!step.applied)
            return {};
        return say("report.saves-text", {{"nodes", cost.nodes},
                                         {"parameters", cost.parameters},
                                         {"bytes", cost.activationBytes},
                                         {"flops", cost.flops}});
    }

    void blocked()
    {
        heading("report.blocked");
        if (m_data.blocked.empty())
            return paragraph(say("report.nothing-blocked"));
        ReportTable table;
        table.head = {say("report.rule"), say("report.root"), say("report.code"), say("report.why"),
                      say("report.unblock"), say("report.fix")};
        for (const ReportBlocked& row : m_data.blocked) {
            bool first = true;
            for (const ReportReason& reason : row.reasons) {
                table.rows.push_back({first ? row.ruleName : "",
                                      first && row.root ? row.root->shown : "", reason.code,
                                      reason.message, reason.unblock, reason.fix});
                first = false;
            }
        }
        m_document.blocks.emplace_back(std::move(table));
    }

    void numbers()
    {
        if (m_data.verification.outputs.empty())
            return;
        heading("report.numbers");
        ReportTable table;
        table.head = {say("report.output"), say("report.result"), "max |Δ|", say("report.max-rel"),
                      say("report.cosine"), "NaN", "Inf", say("report.tolerance")};
        table.numeric = {false, false, true, true, true, true, true, true};
        for (const TensorComparison& one : m_data.verification.outputs) {
            table.rows.push_back(
                {one.name, say(one.pass ? TextId("report.passes") : TextId("report.fails")),
                 fmt::format("{:.3g}", one.maxAbs), fmt::format("{:.3g}", one.maxRel),
                 fmt::format("{:.9g}", one.cosine), nanOf(one.nanBefore, one.nanAfter),
                 nanOf(one.infBefore, one.infAfter),
                 fmt::format("{:.3g} + {:.3g}·max|y|", one.tolerance.atol, one.tolerance.rtol)});
        }
        m_document.blocks.emplace_back(std::move(table));
        const Comparison& proof = m_data.verification;
        std::string inputs = say("report.seed", {{"seed", static_cast<std::int64_t>(proof.seed)}});
        if (!proof.dataSet.empty())
            inputs += say("report.data-set", {{"folder", fileNameOf(proof.dataSet)}});
        for (const auto& [symbol, size] : proof.assumedDims)
            inputs += say("report.assumed", {{"symbol", symbol}, {"size", size}});
        paragraph(inputs + ".");
    }

    static std::string nanOf(std::int64_t before, std::int64_t after)
    {
        return before == after ? std::to_string(before) : fmt::format("{} → {}", before, after);
    }

    void times()
    {
        heading("report.times");
        ReportTable table;
        table.head = {say("report.what"), "ms"};
        table.numeric = {false, true};
        table.rows.push_back({say("report.load"), fmt::format("{:.1f}", m_data.info.loadMs)});
        if (m_data.optimizeMs > 0)
            table.rows.push_back({say("report.optimize"), fmt::format("{:.1f}", m_data.optimizeMs)});
        for (const PlanProfile& plan : m_data.plans)
            table.rows.push_back({say(plan.name == "fused" ? TextId("report.fused-plan")
                                                           : TextId("report.unfused-plan")),
                                  fmt::format("{:.3f}", plan.medianMs)});
        m_document.blocks.emplace_back(std::move(table));
    }

    const ReportData& m_data;
    const Translate& m_translate;
    ReportDocument m_document;
};

} // namespace

std::optional<std::pair<double, double>> mediansOf(const ReportData& data)
{
    double unfused = 0, fused = 0;
    for (const PlanProfile& plan : data.plans)
        (plan.name == "fused" ? fused : unfused) = plan.medianMs;
    if (unfused <= 0 || fused <= 0)
        return std::nullopt;
    return std::pair(unfused, fused);
}

ReportDocument reportDocument(const ReportData& data, const Translate& translate)
{
    return DocumentMaker(data, translate).make();
}

} // namespace fusescope
