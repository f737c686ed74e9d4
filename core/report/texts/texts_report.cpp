#include "report/texts.h"

namespace fusescope::texts {

namespace {

// Headings, columns and sentences of written reports.
constexpr TextRow rows[] = {
    {"report.language", CORE_TEXT("Report", "en")},
    {"report.title", CORE_TEXT("Report", "Optimization report: {file}")},
    {"report.subtitle", CORE_TEXT("Report", "IR version {ir}, opsets {opsets}.")},
    {"report.producer", CORE_TEXT("Report", "Made by {producer}.")},
    {"report.verdict", CORE_TEXT("Report", "Result")},
    {"report.counts",
     CORE_TEXT("Report", "{before} → {after} nodes. Steps applied: {steps}. Blocked: {blocked}.")},
    {"report.pass", CORE_TEXT("Report", "The outputs agree, max |Δ| {delta} ({executor} executor).")},
    {"report.partial",
     CORE_TEXT("Report", "What could be run agrees, max |Δ| {delta}. Not fully proved: {why}")},
    {"report.fail", CORE_TEXT("Report", "The outputs differ, max |Δ| {delta}. {why}")},
    {"report.not-run", CORE_TEXT("Report", "Not compared. {why}")},
    {"report.cut", CORE_TEXT("Report", "Nodes without a kernel: {nodes}.")},
    {"report.summary", CORE_TEXT("Report", "Before and after")},
    {"report.what", CORE_TEXT("Report", "What")},
    {"report.before", CORE_TEXT("Report", "Before")},
    {"report.after", CORE_TEXT("Report", "After")},
    {"report.change", CORE_TEXT("Report", "Change")},
    {"report.nodes", CORE_TEXT("Report", "Nodes")},
    {"report.initializers", CORE_TEXT("Report", "Initializers")},
    {"report.parameters", CORE_TEXT("Report", "Parameters")},
    {"report.bytes", CORE_TEXT("Report", "Bytes of constants")},
    {"report.activation-bytes", CORE_TEXT("Report", "Bytes written in a run")},
    {"report.flops", CORE_TEXT("Report", "Floating-point operations")},
    {"report.approximate",
     CORE_TEXT("Report", "Some sizes are symbolic; these figures assume a size for each.")},
    {"report.gains", CORE_TEXT("Report", "Expected and measured")},
    {"report.expected", CORE_TEXT("Report", "Articles expect")},
    {"report.measured", CORE_TEXT("Report", "Measured")},
    {"gain.size", CORE_TEXT("Report", "Size of the constants")},
    {"gain.memory", CORE_TEXT("Report", "Memory written in a run")},
    {"gain.speed", CORE_TEXT("Report", "Speed")},
    {"gain.reached", CORE_TEXT("Report", "reached")},
    {"gain.not-reached", CORE_TEXT("Report", "not reached")},
    {"gain.not-measured", CORE_TEXT("Report", "not measured")},
    {"gain.note",
     CORE_TEXT("Report", "The ranges are what articles about optimizing exported networks promise; "
                         "what a model gains depends on how much of it is left to fold and fuse.")},
    {"report.saves", CORE_TEXT("Report", "Saves")},
    {"report.saves-text",
     CORE_TEXT("Report", "nodes {nodes}, parameters {parameters}, bytes written {bytes}, FLOPs "
                         "{flops}")},
    {"report.saves-at",
     CORE_TEXT("Report", "Bytes written and FLOPs are counted at {sizes}.")},
    {"report.operators", CORE_TEXT("Report", "Operators")},
    {"report.operator", CORE_TEXT("Report", "Operator")},
    {"report.problems", CORE_TEXT("Report", "Problems in the file")},
    {"report.steps", CORE_TEXT("Report", "Steps")},
    {"report.no-steps", CORE_TEXT("Report", "No pass found anything to rewrite.")},
    {"report.number", CORE_TEXT("Report", "No.")},
    {"report.rule", CORE_TEXT("Report", "Rewrite")},
    {"report.title-of-step", CORE_TEXT("Report", "Step")},
    {"report.skipped", CORE_TEXT("Report", "(skipped)")},
    {"report.blocked", CORE_TEXT("Report", "Blocked")},
    {"report.nothing-blocked", CORE_TEXT("Report", "Nothing is blocked.")},
    {"report.root", CORE_TEXT("Report", "Root")},
    {"report.code", CORE_TEXT("Report", "Code")},
    {"report.why", CORE_TEXT("Report", "Why")},
    {"report.unblock", CORE_TEXT("Report", "What would unblock it")},
    {"report.fix", CORE_TEXT("Report", "Fix")},
    {"report.numbers", CORE_TEXT("Report", "Outputs, before against after")},
    {"report.output", CORE_TEXT("Report", "Output")},
    {"report.result", CORE_TEXT("Report", "Verdict")},
    {"report.passes", CORE_TEXT("Report", "pass")},
    {"report.fails", CORE_TEXT("Report", "fail")},
    {"report.max-rel", CORE_TEXT("Report", "max relative")},
    {"report.cosine", CORE_TEXT("Report", "Cosine")},
    {"report.tolerance", CORE_TEXT("Report", "Tolerance")},
    {"report.seed", CORE_TEXT("Report", "Inputs: seed {seed}")},
    {"report.data-set", CORE_TEXT("Report", ", sizes and integers of {folder}")},
    {"report.assumed", CORE_TEXT("Report", ", assumed {symbol} = {size}")},
    {"report.times", CORE_TEXT("Report", "Times")},
    {"report.load", CORE_TEXT("Report", "Opening")},
    {"report.optimize", CORE_TEXT("Report", "Optimizing")},
    {"report.unfused-plan", CORE_TEXT("Report", "A run before, median")},
    {"report.fused-plan", CORE_TEXT("Report", "A run after, median")},
    {"report.unknown-ending",
     CORE_TEXT("Report", "A report is written as .html, .md or .json.")},
};

} // namespace

std::span<const TextRow> report()
{
    return rows;
}

} // namespace fusescope::texts
