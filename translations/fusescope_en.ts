<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>CommandDiff</name>
    <message numerus="yes">
        <source>There are %n step(s): --steps takes numbers from 0 to %n.</source>
        <translation>
            <numerusform>There are %n step: --steps takes numbers from 0 to %n.</numerusform>
            <numerusform>There are %n steps: --steps takes numbers from 0 to %n.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CommandOptimize</name>
    <message numerus="yes">
        <source>%n step(s), </source>
        <translation>
            <numerusform>%n step, </numerusform>
            <numerusform>%n steps, </numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n blocked</source>
        <translation>
            <numerusform>, %n blocked</numerusform>
            <numerusform>, %n blocked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The source has %n problem(s), and so has the written file: `fusescope info` names them.</source>
        <translation>
            <numerusform>The source has %n problem, and so has the written file: `fusescope info` names them.</numerusform>
            <numerusform>The source has %n problems, and so has the written file: `fusescope info` names them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Written and checked: %1, %n node(s)</source>
        <translation>
            <numerusform>Written and checked: %1, %n node</numerusform>
            <numerusform>Written and checked: %1, %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CommandRun</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportNotice</name>
    <message numerus="yes">
        <source>Exported %1 and checked: %n node(s), outputs agree, max |Δ| %2.</source>
        <translation>
            <numerusform>Exported %1 and checked: %n node, outputs agree, max |Δ| %2.</numerusform>
            <numerusform>Exported %1 and checked: %n nodes, outputs agree, max |Δ| %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %1: %n node(s), not fully proved: %2</source>
        <translation>
            <numerusform>Exported %1: %n node, not fully proved: %2</numerusform>
            <numerusform>Exported %1: %n nodes, not fully proved: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The opened file has %n problem(s), and so has this one: see Messages.</source>
        <translation>
            <numerusform>The opened file has %n problem, and so has this one: see Messages.</numerusform>
            <numerusform>The opened file has %n problems, and so has this one: see Messages.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Nearest</name>
    <message numerus="yes">
        <source>There are: %1, and %n more.</source>
        <translation>
            <numerusform>There are: %1, and %n more.</numerusform>
            <numerusform>There are: %1, and %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::BlockedPanel</name>
    <message numerus="yes">
        <source>%n candidate(s) matched and were not applied</source>
        <translation>
            <numerusform>%n candidate matched and was not applied</numerusform>
            <numerusform>%n candidates matched and were not applied</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n candidate(s) were fused.</source>
        <translation>
            <numerusform>%n candidate was fused.</numerusform>
            <numerusform>All %n candidates were fused.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::CauseFound</name>
    <message numerus="yes">
        <source>It leaves %n other channel(s) as before.</source>
        <translation>
            <numerusform>It leaves %n other channel as before.</numerusform>
            <numerusform>It leaves %n other channels as before.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It moves %n other channel(s) by %1 at most.</source>
        <translation>
            <numerusform>It moves %n other channel by %1 at most.</numerusform>
            <numerusform>It moves %n other channels by %1 at most.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::ChangesPanel</name>
    <message numerus="yes">
        <source>%n came and went</source>
        <translation>
            <numerusform>%n came and went</numerusform>
            <numerusform>%n came and went</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show all, %n more</source>
        <translation>
            <numerusform>Show all, %n more</numerusform>
            <numerusform>Show all, %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::ChannelBars</name>
    <message numerus="yes">
        <source>%n channels</source>
        <translation>
            <numerusform>%n channel</numerusform>
            <numerusform>%n channels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::ComparePanel</name>
    <message numerus="yes">
        <source>%n of %1 outputs differ</source>
        <translation>
            <numerusform>%n of %1 outputs differs</numerusform>
            <numerusform>%n of %1 outputs differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::ExplainPage</name>
    <message numerus="yes">
        <source>%n operator(s) are one %1</source>
        <translation>
            <numerusform>%n operator is one %1</numerusform>
            <numerusform>%n operators are one %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The Conv reads %n part(s) where they lie</source>
        <translation>
            <numerusform>The Conv reads %n part where they lie</numerusform>
            <numerusform>The Conv reads %n parts where they lie</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::FindBar</name>
    <message numerus="yes">
        <source>, %n near miss(es)</source>
        <translation>
            <numerusform>, %n near miss</numerusform>
            <numerusform>, %n near misses</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::GraphArea</name>
    <message numerus="yes">
        <source>After   step %1 · %n node(s)</source>
        <translation>
            <numerusform>After   step %1 · %n node</numerusform>
            <numerusform>After   step %1 · %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Before   step %1 · %n node(s)</source>
        <translation>
            <numerusform>Before   step %1 · %n node</numerusform>
            <numerusform>Before   step %1 · %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::GraphCanvas</name>
    <message numerus="yes">
        <source>%n folded node(s)</source>
        <translation>
            <numerusform>%n folded node</numerusform>
            <numerusform>%n folded nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inside a body</source>
        <translation>
            <numerusform>%n inside a body</numerusform>
            <numerusform>%n inside a body</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reader(s)</source>
        <translation>
            <numerusform>%n reader</numerusform>
            <numerusform>%n readers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::NodePage</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reader(s)</source>
        <translation>
            <numerusform>%n reader</numerusform>
            <numerusform>%n readers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>stands for %n operator(s) of the file</source>
        <translation>
            <numerusform>stands for %n operator of the file</numerusform>
            <numerusform>stands for %n operators of the file</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::NoticeBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more notices</source>
        <translation>
            <numerusform>%n more notice</numerusform>
            <numerusform>%n more notices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::ProfilePanel</name>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::RecentRow</name>
    <message numerus="yes">
        <source>%n blocked</source>
        <translation>
            <numerusform>%n blocked</numerusform>
            <numerusform>%n blocked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::StepsModel</name>
    <message numerus="yes">
        <source>%1, %n step(s)</source>
        <translation>
            <numerusform>%1, %n step</numerusform>
            <numerusform>%1, %n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, done, %n step(s)</source>
        <translation>
            <numerusform>%1, done, %n step</numerusform>
            <numerusform>%1, done, %n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::StepsPanel</name>
    <message numerus="yes">
        <source>%n pass(es) found nothing</source>
        <translation>
            <numerusform>%n pass found nothing</numerusform>
            <numerusform>%n passes found nothing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::SummaryPanel</name>
    <message numerus="yes">
        <source>time, %n thread(s)</source>
        <translation>
            <numerusform>time, %n thread</numerusform>
            <numerusform>time, %n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::WhyPanel</name>
    <message numerus="yes">
        <source>Blocked: %n of %1 conditions fail</source>
        <translation>
            <numerusform>Blocked: %n of %1 conditions fails</numerusform>
            <numerusform>Blocked: %n of %1 conditions fail</numerusform>
        </translation>
    </message>
</context>
</TS>
