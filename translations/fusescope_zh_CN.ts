<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;About Fusescope</source>
        <translation>关于 Fusescope</translation>
    </message>
    <message>
        <source>&amp;After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>&amp;Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>&amp;Copy Name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>&amp;Dimensions…</source>
        <translation>维度…</translation>
    </message>
    <message>
        <source>&amp;Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>&amp;Export Optimized Model…</source>
        <translation>导出优化后的模型…</translation>
    </message>
    <message>
        <source>&amp;Find First Divergence</source>
        <translation>查找首个偏差</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>&amp;First</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>&amp;Grow Range</source>
        <translation>扩大对比范围</translation>
    </message>
    <message>
        <source>&amp;History of Node</source>
        <translation>节点历史</translation>
    </message>
    <message>
        <source>&amp;Inputs…</source>
        <translation>输入…</translation>
    </message>
    <message>
        <source>&amp;Last</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>&amp;Left to Right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>&amp;Mark Operator as Pure…</source>
        <translation>标记算子无副作用…</translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>&amp;New Window</source>
        <translation>新建窗口</translation>
    </message>
    <message>
        <source>&amp;Next Change</source>
        <translation>下一处变更</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>&amp;Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>&amp;Pin Node</source>
        <translation>固定节点</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>性能剖析</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>&amp;Run &amp;&amp; Compare</source>
        <translation>运行并比较</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>&amp;Skip This Rewrite</source>
        <translation>跳过此改写</translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation>分屏</translation>
    </message>
    <message>
        <source>&amp;Tolerance…</source>
        <translation>容差…</translation>
    </message>
    <message>
        <source>&amp;Trace</source>
        <translation>追踪</translation>
    </message>
    <message>
        <source>&amp;Try in a Scratch Copy</source>
        <translation>在草稿副本中尝试</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>&amp;Why Not Fused?</source>
        <translation>为何未融合？</translation>
    </message>
    <message>
        <source>Actual Si&amp;ze</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>Apply &amp;Fix</source>
        <translation>应用修复</translation>
    </message>
    <message>
        <source>Apply All &amp;Safe Fixes</source>
        <translation>应用全部安全修复</translation>
    </message>
    <message>
        <source>Arrange This Step Alone</source>
        <translation>仅排列此步</translation>
    </message>
    <message>
        <source>Attrib&amp;utes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Collapse All</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Copy as &amp;Text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>E&amp;xpand</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Expand All</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Export &amp;Inputs and Outputs…</source>
        <translation>导出输入与输出…</translation>
    </message>
    <message>
        <source>Export &amp;Picture…</source>
        <translation>导出图片…</translation>
    </message>
    <message>
        <source>Export Repor&amp;t…</source>
        <translation>导出报告…</translation>
    </message>
    <message>
        <source>F&amp;orward</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>F&amp;ull Screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Find &amp;Next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find &amp;Previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Fit S&amp;election</source>
        <translation>适应所选</translation>
    </message>
    <message>
        <source>Fusions and &amp;Reasons</source>
        <translation>融合与受阻原因</translation>
    </message>
    <message>
        <source>Guided &amp;Tour</source>
        <translation>新手引导</translation>
    </message>
    <message>
        <source>Lea&amp;ve Body</source>
        <translation>返回上层</translation>
    </message>
    <message>
        <source>Next Place</source>
        <translation>下一处位置</translation>
    </message>
    <message>
        <source>Passes…</source>
        <translation>选择遍…</translation>
    </message>
    <message>
        <source>Pre&amp;dict</source>
        <translation>先猜后看</translation>
    </message>
    <message>
        <source>Pre&amp;vious Change</source>
        <translation>上一处变更</translation>
    </message>
    <message>
        <source>Previous Place</source>
        <translation>上一处位置</translation>
    </message>
    <message>
        <source>Proper&amp;ties</source>
        <translation>模型属性</translation>
    </message>
    <message>
        <source>Report a &amp;Problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>Run &amp;All</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>Run &amp;Pass</source>
        <translation>运行本遍</translation>
    </message>
    <message>
        <source>S&amp;hrink Range</source>
        <translation>缩小对比范围</translation>
    </message>
    <message>
        <source>Select &amp;All of This Operator</source>
        <translation>选择全部同类算子</translation>
    </message>
    <message>
        <source>Show &amp;Inputs</source>
        <translation>显示输入</translation>
    </message>
    <message>
        <source>Show &amp;Outputs</source>
        <translation>显示输出</translation>
    </message>
    <message>
        <source>Views &amp;Move Together</source>
        <translation>视图联动</translation>
    </message>
    <message>
        <source>Zoom &amp;In</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom &amp;Out</source>
        <translation>缩小</translation>
    </message>
</context>
<context>
    <name>Arguments</name>
    <message>
        <source>--%1 is given more than once.</source>
        <translation>--%1 给出了不止一次。</translation>
    </message>
    <message>
        <source>--%1 takes a number of 0 or more, not "%2".</source>
        <translation>--%1 需要一个不小于 0 的数，而不是“%2”。</translation>
    </message>
    <message>
        <source>--%1 takes a whole number from %2 to %3, not "%4".</source>
        <translation>--%1 需要一个 %2 到 %3 之间的整数，而不是“%4”。</translation>
    </message>
    <message>
        <source>--%1 takes a whole number of %2 or more, not "%3".</source>
        <translation>--%1 需要一个不小于 %2 的整数，而不是“%3”。</translation>
    </message>
    <message>
        <source>--%1 takes one of %2, not "%3".</source>
        <translation>--%1 需要是 %2 之一，而不是“%3”。</translation>
    </message>
    <message>
        <source>--dim takes NAME=VALUE, not "%1".</source>
        <translation>--dim 的格式为 NAME=VALUE，而不是“%1”。</translation>
    </message>
    <message>
        <source>--keep-quantization and --fold-quantization contradict each other.</source>
        <translation>--keep-quantization 与 --fold-quantization 互相矛盾。</translation>
    </message>
    <message>
        <source>--passes names no stage and no rule; --list-passes names them.</source>
        <translation>--passes 没有指明任何阶段或规则；--list-passes 可列出它们。</translation>
    </message>
    <message>
        <source>--pure takes DOMAIN:OP, and the model has no operator "%1".</source>
        <translation>--pure 的格式为 DOMAIN:OP，而模型中没有算子“%1”。</translation>
    </message>
    <message>
        <source>--shape takes NAME=1x3x224x224, not "%1".</source>
        <translation>--shape 的格式为 NAME=1x3x224x224，而不是“%1”。</translation>
    </message>
    <message>
        <source>--skip %1: there are %2 steps.</source>
        <translation>--skip %1：共有 %2 步。</translation>
    </message>
    <message>
        <source>--skip takes numbers of steps, not "%1".</source>
        <translation>--skip 需要步骤编号，而不是“%1”。</translation>
    </message>
    <message>
        <source>A folder, FILE.npz, NAME=FILE.npy or NAME=FILE.pb; may be repeated.</source>
        <translation>文件夹、FILE.npz、NAME=FILE.npy 或 NAME=FILE.pb；可重复。</translation>
    </message>
    <message>
        <source>A node or value that must stay; may be repeated.</source>
        <translation>必须保留的节点或值；可重复。</translation>
    </message>
    <message>
        <source>A picture: .svg, .png or .pdf.</source>
        <translation>图片：.svg、.png 或 .pdf。</translation>
    </message>
    <message>
        <source>Absolute tolerance (0).</source>
        <translation>绝对容差（0）。</translation>
    </message>
    <message>
        <source>An operator without side effects; may be repeated.</source>
        <translation>无副作用的算子；可重复。</translation>
    </message>
    <message>
        <source>Bytes that folding may add to the model (1 GiB).</source>
        <translation>折叠可为模型增加的字节数（1 GiB）。</translation>
    </message>
    <message>
        <source>Did you mean "%1"?</source>
        <translation>您是指“%1”吗？</translation>
    </message>
    <message>
        <source>Do not run both models.</source>
        <translation>不运行两个模型。</translation>
    </message>
    <message>
        <source>Example: fusescope %1</source>
        <translation>示例：fusescope %1</translation>
    </message>
    <message>
        <source>Exit with 1 when a fusion is blocked.</source>
        <translation>有融合受阻时以 1 退出。</translation>
    </message>
    <message>
        <source>Fixes to apply first: freeze-initializers, inference-batchnorm, inference-dropout, drop-noop, duplicate-producer, drop-output.</source>
        <translation>最先应用的修复：freeze-initializers、inference-batchnorm、inference-dropout、drop-noop、duplicate-producer、drop-output。</translation>
    </message>
    <message>
        <source>Fixes, skips, pins and options as the window saves them.</source>
        <translation>窗口所保存的修复、跳过、固定与选项。</translation>
    </message>
    <message>
        <source>Fold DequantizeLinear of constants.</source>
        <translation>折叠常量的 DequantizeLinear。</translation>
    </message>
    <message>
        <source>Fused nodes as standard operators, functions or contrib operators.</source>
        <translation>融合节点写成标准算子（standard）、函数（functions）或 contrib 算子。</translation>
    </message>
    <message>
        <source>Keep quantization nodes as they are (the default).</source>
        <translation>保留量化节点不变（默认）。</translation>
    </message>
    <message>
        <source>Language of messages, for example en or zh_CN.</source>
        <translation>消息的语言，例如 en 或 zh_CN。</translation>
    </message>
    <message>
        <source>List stages and rules, and end.</source>
        <translation>列出阶段与规则后结束。</translation>
    </message>
    <message>
        <source>List targets, and end.</source>
        <translation>列出目标后结束。</translation>
    </message>
    <message>
        <source>Name the first step after which outputs differ.</source>
        <translation>指出输出开始不同的第一步。</translation>
    </message>
    <message>
        <source>No input of the model has a size "%1".</source>
        <translation>模型的输入中没有尺寸“%1”。</translation>
    </message>
    <message>
        <source>Number of threads (1).</source>
        <translation>线程数（1）。</translation>
    </message>
    <message>
        <source>Number of timed runs (20).</source>
        <translation>计时运行的次数（20）。</translation>
    </message>
    <message>
        <source>Numbers of steps to skip.</source>
        <translation>要跳过的步骤编号。</translation>
    </message>
    <message>
        <source>Only candidates that this node takes part in.</source>
        <translation>仅列出此节点参与的候选。</translation>
    </message>
    <message>
        <source>Only these stages or rules; their order stays.</source>
        <translation>仅用这些阶段或规则；顺序不变。</translation>
    </message>
    <message>
        <source>Optimize a model and export it, proved by running both.</source>
        <translation>优化模型并导出，运行前后两者加以证明。</translation>
    </message>
    <message>
        <source>Options:</source>
        <translation>选项：</translation>
    </message>
    <message>
        <source>Replace an existing file; never the source.</source>
        <translation>替换已有文件；绝不替换源文件。</translation>
    </message>
    <message>
        <source>Run both on the same inputs.</source>
        <translation>用相同输入运行两者。</translation>
    </message>
    <message>
        <source>Run folders of operator tests.</source>
        <translation>运行算子测试文件夹。</translation>
    </message>
    <message>
        <source>Run once and print or write the outputs.</source>
        <translation>运行一次，打印或写出输出。</translation>
    </message>
    <message>
        <source>Say nothing but errors and warnings; list no steps.</source>
        <translation>只输出错误和警告，不列出步骤。</translation>
    </message>
    <message>
        <source>Seed of random inputs (1).</source>
        <translation>随机输入的种子（1）。</translation>
    </message>
    <message>
        <source>Shape of an input; may be repeated.</source>
        <translation>某个输入的形状；可重复。</translation>
    </message>
    <message>
        <source>Show progress on stderr: auto, always or never.</source>
        <translation>在 stderr 显示进度：auto、always 或 never。</translation>
    </message>
    <message>
        <source>Show the program's version.</source>
        <translation>显示程序版本。</translation>
    </message>
    <message>
        <source>Show this help.</source>
        <translation>显示此帮助。</translation>
    </message>
    <message>
        <source>Size of a symbolic dimension; may be repeated.</source>
        <translation>符号维度的大小；可重复。</translation>
    </message>
    <message>
        <source>Stages or rules to leave out.</source>
        <translation>不使用的阶段或规则。</translation>
    </message>
    <message>
        <source>Stop after this many steps.</source>
        <translation>到此步数为止。</translation>
    </message>
    <message>
        <source>The drawing's positions.</source>
        <translation>绘图中各项的位置。</translation>
    </message>
    <message>
        <source>The file to write.</source>
        <translation>要写出的文件。</translation>
    </message>
    <message>
        <source>The model after this many steps.</source>
        <translation>经过这么多步之后的模型。</translation>
    </message>
    <message>
        <source>The model has no input "%1".</source>
        <translation>模型没有输入“%1”。</translation>
    </message>
    <message>
        <source>The states of the model to compare.</source>
        <translation>要比较的模型状态。</translation>
    </message>
    <message>
        <source>The whole story: .html, .md or .json. With --threads both plans are timed.</source>
        <translation>完整的过程：.html、.md 或 .json。加上 --threads 时还会给两种计划计时。</translation>
    </message>
    <message>
        <source>The window's drawing of all steps: equal blocks of a large model are closed.</source>
        <translation>窗口中包含所有步骤的绘图：大模型中相同的块是折叠的。</translation>
    </message>
    <message>
        <source>There is no stage or rule "%1"; --list-passes names them.</source>
        <translation>没有阶段或规则“%1”；--list-passes 可列出全部。</translation>
    </message>
    <message>
        <source>There is no target "%1"; --list-targets names them.</source>
        <translation>没有目标“%1”；--list-targets 可列出全部。</translation>
    </message>
    <message>
        <source>Time the unfused and the fused plan in turn.</source>
        <translation>轮流为未融合与融合的方案计时。</translation>
    </message>
    <message>
        <source>Times for each node.</source>
        <translation>各节点的时间。</translation>
    </message>
    <message>
        <source>Tolerance relative to the largest value of an output.</source>
        <translation>相对于某个输出最大值的容差。</translation>
    </message>
    <message>
        <source>Usage: fusescope %1 %2</source>
        <translation>用法：fusescope %1 %2</translation>
    </message>
    <message>
        <source>Weights beside the model: auto, always or never.</source>
        <translation>权重放在模型旁：auto、always 或 never。</translation>
    </message>
    <message>
        <source>What the file holds, and problems found.</source>
        <translation>文件的内容，以及发现的问题。</translation>
    </message>
    <message>
        <source>What the model is meant for (generic).</source>
        <translation>模型的用途（generic）。</translation>
    </message>
    <message>
        <source>What was added, removed and changed.</source>
        <translation>增加、移除与变更的内容。</translation>
    </message>
    <message>
        <source>Why each candidate was fused, or was not.</source>
        <translation>每个候选为何融合，或为何没有。</translation>
    </message>
    <message>
        <source>Why these two nodes are not fused.</source>
        <translation>这两个节点为何未融合。</translation>
    </message>
    <message>
        <source>With what the steps removed, as ghosts.</source>
        <translation>带上各步移除的内容，显示为虚影。</translation>
    </message>
    <message>
        <source>Write one JSON document to stdout.</source>
        <translation>向 stdout 写一个 JSON 文档。</translation>
    </message>
    <message>
        <source>light or dark.</source>
        <translation>light 或 dark。</translation>
    </message>
    <message>
        <source>reference or fused.</source>
        <translation>reference 或 fused。</translation>
    </message>
</context>
<context>
    <name>BlockedPlaces</name>
    <message>
        <source>%1 stands at step %2: went there. Alt+Left returns.</source>
        <translation>%1 位于第 %2 步：已转到该处。Alt+Left 返回。</translation>
    </message>
</context>
<context>
    <name>Cancelled</name>
    <message>
        <source>%1 stays open.</source>
        <translation>%1 仍保持打开。</translation>
    </message>
    <message>
        <source>No file was written.</source>
        <translation>未写入任何文件。</translation>
    </message>
    <message>
        <source>No longer waiting for the last step; the passes run on.</source>
        <translation>不再等待最后一步；各遍继续运行。</translation>
    </message>
    <message>
        <source>Nothing was compared.</source>
        <translation>未作任何比较。</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>未作任何测量。</translation>
    </message>
    <message>
        <source>Nothing was opened.</source>
        <translation>未打开任何内容。</translation>
    </message>
    <message>
        <source>Stopped: %1. %2</source>
        <translation>已停止：%1。%2</translation>
    </message>
    <message>
        <source>The comparison before it is kept.</source>
        <translation>先前的比较结果仍保留。</translation>
    </message>
    <message>
        <source>The comparison is kept.</source>
        <translation>比较结果仍保留。</translation>
    </message>
    <message>
        <source>The model and its steps are as before.</source>
        <translation>模型及其步骤保持原样。</translation>
    </message>
    <message>
        <source>The profile before it is kept.</source>
        <translation>先前的剖析结果仍保留。</translation>
    </message>
</context>
<context>
    <name>CommandCompare</name>
    <message>
        <source>%1 inputs: top-1 agrees in %2 %, top-5 in %3 %</source>
        <translation>%1 份输入：top-1 一致 %2 %，top-5 一致 %3 %</translation>
    </message>
    <message>
        <source>%1 intermediate values compared, %2 differ</source>
        <translation>比较了 %1 个中间值，%2 个不同</translation>
    </message>
    <message>
        <source>--%1 is for one model: between two files no rules run.</source>
        <translation>--%1 用于单个模型：比较两个文件时不运行任何规则。</translation>
    </message>
    <message>
        <source>NaN: %1 before, %2 after</source>
        <translation>NaN：优化前 %1 个，优化后 %2 个</translation>
    </message>
    <message>
        <source>The outputs differ from step %1 on: %2</source>
        <translation>从第 %1 步起输出不同：%2</translation>
    </message>
    <message>
        <source>assumed %1 = %2</source>
        <translation>假定 %1 = %2</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>随机种子 %1</translation>
    </message>
    <message>
        <source>values in between: %1 matched by name, %2 by operator and neighbours</source>
        <translation>中间值：按名称匹配 %1 个，按算子和相邻节点匹配 %2 个</translation>
    </message>
</context>
<context>
    <name>CommandDiff</name>
    <message>
        <source>%1 nodes matched, %2 of them by name</source>
        <translation>匹配了 %1 个节点，其中 %2 个按名称</translation>
    </message>
    <message>
        <source>--%1 is for one model: between two files no rules run.</source>
        <translation>--%1 用于单个模型：比较两个文件时不运行任何规则。</translation>
    </message>
    <message>
        <source>--steps takes I..J, two numbers of steps.</source>
        <translation>--steps 的格式为 I..J，即两个步骤编号。</translation>
    </message>
    <message>
        <source>--steps takes the earlier step first: %1..%2.</source>
        <translation>--steps 要求先写较早的步骤：%1..%2。</translation>
    </message>
    <message>
        <source>No change between step %1 and step %2.</source>
        <translation>第 %1 步与第 %2 步之间没有变化。</translation>
    </message>
    <message numerus="yes">
        <source>There are %n step(s): --steps takes numbers from 0 to %n.</source>
        <translation>
            <numerusform>共有 %n 个步骤：--steps 接受 0 到 %n 的编号。</numerusform>
        </translation>
    </message>
    <message>
        <source>diff takes MODEL --steps I..J, or two models.</source>
        <translation>diff 需要 MODEL --steps I..J，或两个模型。</translation>
    </message>
</context>
<context>
    <name>CommandDraw</name>
    <message>
        <source>%1 × %2, %3 in %4</source>
        <translation>%1 × %2，%3，用时 %4</translation>
    </message>
    <message>
        <source>The picture is scaled to %1 % to stay within %2 × %3 pixels.</source>
        <translation>图片已缩放到 %1 %，以不超过 %2 × %3 像素。</translation>
    </message>
    <message>
        <source>There are %1 steps: --step takes 0 to %1.</source>
        <translation>共有 %1 步：--step 可取 0 到 %1。</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>已写出 %1。</translation>
    </message>
    <message>
        <source>render needs -o FILE.</source>
        <translation>render 需要 -o FILE。</translation>
    </message>
</context>
<context>
    <name>CommandExplain</name>
    <message>
        <source> (step %1)</source>
        <translation>（第 %1 步）</translation>
    </message>
    <message>
        <source> (turned off)</source>
        <translation>（已关闭）</translation>
    </message>
    <message>
        <source>%1 nodes have the name "%2": %3</source>
        <translation>有 %1 个节点名为“%2”：%3</translation>
    </message>
    <message>
        <source>--between takes the names of two different nodes.</source>
        <translation>--between 需要两个不同节点的名称。</translation>
    </message>
    <message>
        <source>--between takes two names.</source>
        <translation>--between 需要两个名称。</translation>
    </message>
    <message>
        <source>--node and --between ask different questions: take one.</source>
        <translation>--node 与 --between 是不同的问题，请只选其一。</translation>
    </message>
    <message>
        <source>The model has no node "%1".</source>
        <translation>模型没有节点“%1”。</translation>
    </message>
</context>
<context>
    <name>CommandInfo</name>
    <message>
        <source>%1 nodes, %2 initializers, %3 parameters, %4 bytes</source>
        <translation>%1 个节点，%2 个初始化器，%3 个参数，%4 字节</translation>
    </message>
    <message>
        <source>%1 passed, %2 failed, %3 unsupported</source>
        <translation>%1 个通过，%2 个失败，%3 个不支持</translation>
    </message>
    <message>
        <source>IR %1, %2; made by %3</source>
        <translation>IR %1，%2；由 %3 生成</translation>
    </message>
    <message>
        <source>input %1: %2</source>
        <translation>输入 %1：%2</translation>
    </message>
    <message>
        <source>output %1: %2</source>
        <translation>输出 %1：%2</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>CommandOptimize</name>
    <message>
        <source> (skipped)</source>
        <translation>（已跳过）</translation>
    </message>
    <message>
        <source>%1 → %2 nodes</source>
        <translation>%1 → %2 个节点</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), </source>
        <translation>
            <numerusform>%n 步，</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n blocked</source>
        <translation>
            <numerusform>，%n 个受阻</numerusform>
        </translation>
    </message>
    <message>
        <source>, outputs agree, max |Δ| %1</source>
        <translation>，输出一致，最大 |Δ| %1</translation>
    </message>
    <message>
        <source>Not written: the outputs differ. %1</source>
        <translation>未写入：输出不同。%1</translation>
    </message>
    <message numerus="yes">
        <source>The source has %n problem(s), and so has the written file: `fusescope info` names them.</source>
        <translation>
            <numerusform>源文件有 %n 个问题，写出的文件也有：`fusescope info` 可列出它们。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Written and checked: %1, %n node(s)</source>
        <translation>
            <numerusform>已写出并核对：%1，%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Written: %1. Not fully proved: %2</source>
        <translation>已写出：%1。未完全证明：%2</translation>
    </message>
    <message>
        <source>optimize needs -o FILE: the source is never written.</source>
        <translation>optimize 需要 -o FILE：绝不写源文件。</translation>
    </message>
</context>
<context>
    <name>CommandReport</name>
    <message>
        <source>Written: %1</source>
        <translation>已写出：%1</translation>
    </message>
    <message>
        <source>report needs -o FILE, ending in .html, .md or .json.</source>
        <translation>report 需要 -o FILE，以 .html、.md 或 .json 结尾。</translation>
    </message>
</context>
<context>
    <name>CommandRun</name>
    <message>
        <source>%1  median %2 ms  min %3 ms  p90 %4 ms  (%5, %6)</source>
        <translation>%1  中位数 %2 ms  最小 %3 ms  p90 %4 ms（%5，%6）</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>There are %1 steps.</source>
        <translation>共有 %1 步。</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写出：%1</translation>
    </message>
    <message>
        <source>assumed %1 = %2</source>
        <translation>假定 %1 = %2</translation>
    </message>
    <message>
        <source>fused / unfused: %1</source>
        <translation>融合 / 未融合：%1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>随机种子 %1</translation>
    </message>
</context>
<context>
    <name>CommandRunner</name>
    <message>
        <source>
"fusescope COMMAND --help" lists the options of a command.</source>
        <translation>
“fusescope COMMAND --help”列出某个命令的选项。</translation>
    </message>
    <message>
        <source>Usage: fusescope [MODEL]
       fusescope COMMAND …

Without a command the window opens. Commands:
</source>
        <translation>用法：fusescope [MODEL]
       fusescope COMMAND …

不带命令则打开窗口。命令：
</translation>
    </message>
</context>
<context>
    <name>ComparePanel</name>
    <message>
        <source>NaN before/after, Inf before/after</source>
        <translation>NaN 之前/之后，Inf 之前/之后</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN，Inf</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>fail</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>max rel</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>worst element</source>
        <translation>最差元素</translation>
    </message>
</context>
<context>
    <name>Condition</name>
    <message>
        <source>A kernel reads the parts where they lie</source>
        <translation>有内核能就地读取各部分</translation>
    </message>
    <message>
        <source>BatchNormalization is in inference mode</source>
        <translation>BatchNormalization 处于推理模式</translation>
    </message>
    <message>
        <source>BatchNormalization works per channel</source>
        <translation>BatchNormalization 按通道工作</translation>
    </message>
    <message>
        <source>Both are {shape}.</source>
        <translation>两者都是 {shape}。</translation>
    </message>
    <message>
        <source>Both means are over the same axes</source>
        <translation>两个均值沿相同的轴</translation>
    </message>
    <message>
        <source>Both nodes stand in one graph</source>
        <translation>两个节点在同一个图中</translation>
    </message>
    <message>
        <source>Both operands are matrices</source>
        <translation>两个操作数都是矩阵</translation>
    </message>
    <message>
        <source>Both sides have the same shape</source>
        <translation>两侧形状相同</translation>
    </message>
    <message>
        <source>Each bound is one number</source>
        <translation>每个边界是一个数</translation>
    </message>
    <message>
        <source>Each constant is one number</source>
        <translation>每个常量是一个数</translation>
    </message>
    <message>
        <source>Each pad is smaller than the kernel</source>
        <translation>每处补边都小于卷积核</translation>
    </message>
    <message>
        <source>Each parameter has one element a channel</source>
        <translation>每个参数每通道一个元素</translation>
    </message>
    <message>
        <source>Epsilon is one number, zero or more</source>
        <translation>epsilon 是一个不小于零的数</translation>
    </message>
    <message>
        <source>Every attribute is one that the operator has</source>
        <translation>每个属性都是该算子具有的</translation>
    </message>
    <message>
        <source>Fewer Transposes are left than there were</source>
        <translation>剩下的 Transpose 比原来少</translation>
    </message>
    <message>
        <source>Inner values are read inside alone</source>
        <translation>内部的值只在内部读取</translation>
    </message>
    <message>
        <source>It works along the last axis</source>
        <translation>它沿最后一个轴工作</translation>
    </message>
    <message>
        <source>Merging leaves the output's shape as it is</source>
        <translation>合并后输出形状不变</translation>
    </message>
    <message>
        <source>No 0 copies a size of the value between</source>
        <translation>没有 0 复制中间值的大小</translation>
    </message>
    <message>
        <source>No activation ends it yet</source>
        <translation>末尾还没有激活</translation>
    </message>
    <message>
        <source>No amount is negative</source>
        <translation>没有负的补边量</translation>
    </message>
    <message>
        <source>No constant adds an axis</source>
        <translation>没有常量增加轴</translation>
    </message>
    <message>
        <source>No node is pinned</source>
        <translation>没有节点被固定</translation>
    </message>
    <message>
        <source>No operand enlarges the result</source>
        <translation>没有操作数使结果变大</translation>
    </message>
    <message>
        <source>No padding comes after the shift</source>
        <translation>偏移之后没有补零</translation>
    </message>
    <message>
        <source>No public name would be lost</source>
        <translation>不会丢失公开的名称</translation>
    </message>
    <message>
        <source>No quotient rounds to 0</source>
        <translation>没有商舍入为 0</translation>
    </message>
    <message>
        <source>No second output is used</source>
        <translation>没有用到第二个输出</translation>
    </message>
    <message>
        <source>Nothing else reads the value between</source>
        <translation>没有其他节点读取中间的值</translation>
    </message>
    <message>
        <source>Only spatial axes are padded</source>
        <translation>只补空间轴</translation>
    </message>
    <message>
        <source>Pad pads with a constant</source>
        <translation>Pad 以常量填充</translation>
    </message>
    <message>
        <source>Padded cells count in the average</source>
        <translation>补上的格子计入平均</translation>
    </message>
    <message>
        <source>Scale and zero point are the same</source>
        <translation>比例与零点相同</translation>
    </message>
    <message>
        <source>The activation exists at this opset</source>
        <translation>该激活在此 opset 中存在</translation>
    </message>
    <message>
        <source>The amounts fit the data's rank</source>
        <translation>补边量与数据的秩相符</translation>
    </message>
    <message>
        <source>The bounds are constants</source>
        <translation>边界是常量</translation>
    </message>
    <message>
        <source>The constant acts per channel</source>
        <translation>常量按通道作用</translation>
    </message>
    <message>
        <source>The convolutions have the same attributes and sizes</source>
        <translation>各卷积的属性与大小相同</translation>
    </message>
    <message>
        <source>The element type is a float</source>
        <translation>元素类型是浮点</translation>
    </message>
    <message>
        <source>The element types agree</source>
        <translation>元素类型一致</translation>
    </message>
    <message>
        <source>The folded numbers are finite</source>
        <translation>折叠后的数是有限的</translation>
    </message>
    <message>
        <source>The formula's numbers are constants</source>
        <translation>公式中的数是常量</translation>
    </message>
    <message>
        <source>The groups allow it</source>
        <translation>分组允许这样做</translation>
    </message>
    <message>
        <source>The indices are unused</source>
        <translation>没有用到索引</translation>
    </message>
    <message>
        <source>The inner numbers are the formula's</source>
        <translation>内部的数与公式相符</translation>
    </message>
    <message>
        <source>The lower bound is not above the upper one</source>
        <translation>下界不大于上界</translation>
    </message>
    <message>
        <source>The means are over the last axes</source>
        <translation>均值沿最后的轴</translation>
    </message>
    <message>
        <source>The means keep their axes</source>
        <translation>均值保留其轴</translation>
    </message>
    <message>
        <source>The model stays within the growth limit</source>
        <translation>模型不超过增长上限</translation>
    </message>
    <message>
        <source>The new operator takes the element type</source>
        <translation>新算子接受该元素类型</translation>
    </message>
    <message>
        <source>The new shape is a constant</source>
        <translation>新形状是常量</translation>
    </message>
    <message>
        <source>The nodes keep the rules of their operators</source>
        <translation>各节点都遵守其算子的规则</translation>
    </message>
    <message>
        <source>The number is finite</source>
        <translation>该数是有限的</translation>
    </message>
    <message>
        <source>The number of channels is known</source>
        <translation>通道数已知</translation>
    </message>
    <message>
        <source>The operands stand in a fitting order</source>
        <translation>操作数的顺序合适</translation>
    </message>
    <message>
        <source>The operator is ONNX's own</source>
        <translation>该算子是 ONNX 自己的</translation>
    </message>
    <message>
        <source>The operator's version is known</source>
        <translation>算子版本已知</translation>
    </message>
    <message>
        <source>The other operand is a constant</source>
        <translation>另一个操作数是常量</translation>
    </message>
    <message>
        <source>The other side is computed without it</source>
        <translation>另一侧的计算不依赖它</translation>
    </message>
    <message>
        <source>The outer numbers are the formula's</source>
        <translation>外部的数与公式相符</translation>
    </message>
    <message>
        <source>The pad amounts are constants</source>
        <translation>补边量是常量</translation>
    </message>
    <message>
        <source>The pad value is what the reader pads with</source>
        <translation>填充值与读取者所用的相同</translation>
    </message>
    <message>
        <source>The parameters are constants</source>
        <translation>参数是常量</translation>
    </message>
    <message>
        <source>The partner stands directly before it</source>
        <translation>搭档紧挨在前面</translation>
    </message>
    <message>
        <source>The parts are joined along the channels</source>
        <translation>各部分沿通道拼接</translation>
    </message>
    <message>
        <source>The parts take every place of the axis once</source>
        <translation>各部分恰好取遍该轴的每个位置一次</translation>
    </message>
    <message>
        <source>The reader's own padding is known</source>
        <translation>读取者自己的补边已知</translation>
    </message>
    <message>
        <source>The result has the axes of the data, but for the last</source>
        <translation>结果除最后一轴外与数据的各轴相同</translation>
    </message>
    <message>
        <source>The result is read as data</source>
        <translation>结果作为数据被读取</translation>
    </message>
    <message>
        <source>The slope is a constant</source>
        <translation>斜率是常量</translation>
    </message>
    <message>
        <source>The slope is one number, or one a channel</source>
        <translation>斜率是一个数，或每通道一个数</translation>
    </message>
    <message>
        <source>The smallest sum is {sum}.</source>
        <translation>最小的和为 {sum}。</translation>
    </message>
    <message>
        <source>The square is a square</source>
        <translation>平方确实是平方</translation>
    </message>
    <message>
        <source>The statistics are not computed from the batch</source>
        <translation>统计量不是由批次计算的</translation>
    </message>
    <message>
        <source>The target does not fuse this itself</source>
        <translation>目标运行时自己不做这个融合</translation>
    </message>
    <message>
        <source>The type between holds every value</source>
        <translation>中间类型容纳全部数值</translation>
    </message>
    <message>
        <source>The window has no gaps</source>
        <translation>窗口没有空隙</translation>
    </message>
    <message>
        <source>There are no more nodes in the end</source>
        <translation>最终节点不会增多</translation>
    </message>
    <message>
        <source>There is one number a column</source>
        <translation>每列一个数</translation>
    </message>
    <message>
        <source>Transpose swaps the last two axes</source>
        <translation>Transpose 交换最后两个轴</translation>
    </message>
    <message>
        <source>Variance + epsilon is positive</source>
        <translation>方差 + epsilon 为正</translation>
    </message>
    <message>
        <source>Weight and bias are constants</source>
        <translation>权重与偏置是常量</translation>
    </message>
    <message>
        <source>`{node}` has one output.</source>
        <translation>`{node}` 有一个输出。</translation>
    </message>
    <message>
        <source>`{node}` has {count} outputs.</source>
        <translation>`{node}` 有 {count} 个输出。</translation>
    </message>
    <message>
        <source>`{node}` is {op}-{version}.</source>
        <translation>`{node}` 是 {op}-{version}。</translation>
    </message>
    <message>
        <source>`{node}` sets none.</source>
        <translation>`{node}` 未设置任何属性。</translation>
    </message>
    <message>
        <source>`{node}` sets {names}.</source>
        <translation>`{node}` 设置了 {names}。</translation>
    </message>
    <message>
        <source>`{root}` reads `{node}`.</source>
        <translation>`{root}` 读取 `{node}`。</translation>
    </message>
    <message>
        <source>`{value}` and {more} more have their contents.</source>
        <translation>`{value}` 及另外 {more} 个都有内容。</translation>
    </message>
    <message>
        <source>`{value}` has its contents.</source>
        <translation>`{value}` 有内容。</translation>
    </message>
    <message>
        <source>`{value}` has one reader.</source>
        <translation>`{value}` 有一个读取者。</translation>
    </message>
    <message>
        <source>`{value}` is {type}.</source>
        <translation>`{value}` 为 {type}。</translation>
    </message>
    <message>
        <source>{count} parts of axis {axis} of `{value}`.</source>
        <translation>`{value}` 的轴 {axis} 的 {count} 部分。</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>A condition must be one boolean, but it is {found}.</source>
        <translation>条件必须是一个布尔值，但它是 {found}。</translation>
    </message>
    <message>
        <source>A function has a graph as the default of an attribute.</source>
        <translation>某个函数以图作为属性的默认值。</translation>
    </message>
    <message>
        <source>A function has no name.</source>
        <translation>某个函数没有名称。</translation>
    </message>
    <message>
        <source>A fused node has to be lowered to ONNX operators before it is written.</source>
        <translation>融合节点须先还原为 ONNX 算子才能写出。</translation>
    </message>
    <message>
        <source>A fused node would have held no nodes.</source>
        <translation>融合节点中会没有任何节点。</translation>
    </message>
    <message>
        <source>A node refers to a graph that does not exist.</source>
        <translation>某个节点引用了不存在的图。</translation>
    </message>
    <message>
        <source>A result of shape {shape} would have a negative size.</source>
        <translation>形状为 {shape} 的结果会有负的大小。</translation>
    </message>
    <message>
        <source>A result of type {type} and shape {shape} does not fit into the {available} bytes that the run may still use.</source>
        <translation>类型 {type}、形状 {shape} 的结果放不进本次运行还可使用的 {available} 字节。</translation>
    </message>
    <message>
        <source>A size of {size} times {scale} is too large.</source>
        <translation>尺寸 {size} 乘以 {scale} 太大。</translation>
    </message>
    <message>
        <source>A sparse initializer does not fit its shape.</source>
        <translation>某个稀疏初始化器与其形状不符。</translation>
    </message>
    <message>
        <source>A tensor of shape {shape} has too many elements.</source>
        <translation>形状为 {shape} 的张量元素过多。</translation>
    </message>
    <message>
        <source>A value is assigned twice.</source>
        <translation>某个值被赋值两次。</translation>
    </message>
    <message>
        <source>A value that is read does not exist.</source>
        <translation>所读取的值不存在。</translation>
    </message>
    <message>
        <source>An input has no name.</source>
        <translation>某个输入没有名称。</translation>
    </message>
    <message>
        <source>An output is not a value of the node's graph.</source>
        <translation>某个输出不是节点所在图的值。</translation>
    </message>
    <message>
        <source>Arranging {count} node</source>
        <translation>正在排列 {count} 个节点</translation>
    </message>
    <message>
        <source>Arranging {count} nodes</source>
        <translation>正在排列 {count} 个节点</translation>
    </message>
    <message>
        <source>Attribute `pattern` must be a regular expression of RE2: {error}.</source>
        <translation>属性 `pattern` 必须是 RE2 正则表达式：{error}。</translation>
    </message>
    <message>
        <source>Attribute `{name}` is missing.</source>
        <translation>缺少属性 `{name}`。</translation>
    </message>
    <message>
        <source>Attribute `{name}` must be a divisor of {of}, but it is {found}.</source>
        <translation>属性 `{name}` 必须是 {of} 的约数，但它是 {found}。</translation>
    </message>
    <message>
        <source>Attribute `{name}` must be {expected}, but it is {found}.</source>
        <translation>属性 `{name}` 必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Attribute `{name}` names no element type: {found}.</source>
        <translation>属性 `{name}` 不是任何元素类型：{found}。</translation>
    </message>
    <message>
        <source>Axis {axis} cannot be removed: its size is {size}, not 1.</source>
        <translation>轴 {axis} 不能去掉：其大小是 {size}，不是 1。</translation>
    </message>
    <message>
        <source>Axis {axis} does not exist: the tensor has rank {rank}.</source>
        <translation>轴 {axis} 不存在：张量的秩为 {rank}。</translation>
    </message>
    <message>
        <source>Axis {axis} is named twice.</source>
        <translation>轴 {axis} 被指定了两次。</translation>
    </message>
    <message>
        <source>Calls and inner graphs are nested too deeply to follow.</source>
        <translation>调用与内部图嵌套过深，无法跟踪。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Either scales or sizes may be given, inputs 3 and 4, not both.</source>
        <translation>输入 3 的 scales 和输入 4 的 sizes 只能给出一个。</translation>
    </message>
    <message>
        <source>Elements of input {input} are {type}: only the mode nearest takes them, not {mode}.</source>
        <translation>输入 {input} 的元素类型为 {type}：只有 nearest 模式接受，{mode} 不接受。</translation>
    </message>
    <message>
        <source>Gradient cannot differentiate {op}.</source>
        <translation>Gradient 无法对 {op} 求导。</translation>
    </message>
    <message>
        <source>Gradient names `{name}`, which its graph does not have.</source>
        <translation>Gradient 指名 `{name}`，但它所在的图中没有。</translation>
    </message>
    <message>
        <source>Graphs are nested too deeply.</source>
        <translation>图嵌套过深。</translation>
    </message>
    <message>
        <source>Index {index} is out of range for an axis of size {size}.</source>
        <translation>索引 {index} 超出大小为 {size} 的轴的范围。</translation>
    </message>
    <message>
        <source>Input 1 of shape {found} must have one column for each position of the block.</source>
        <translation>形状为 {found} 的输入 1 必须为块的每个位置各有一列。</translation>
    </message>
    <message>
        <source>Input 2 is zero where element {index} is to be divided by it.</source>
        <translation>输入 2 为零，而第 {index} 个元素要除以它。</translation>
    </message>
    <message>
        <source>Input `{value}` is {found}, but the model takes {expected}.</source>
        <translation>输入 `{value}` 是 {found}，但模型需要 {expected}。</translation>
    </message>
    <message>
        <source>Input {input} has {found}, which is none of the categories.</source>
        <translation>输入 {input} 中的 {found} 不属于任何类别。</translation>
    </message>
    <message>
        <source>Input {input} holds the index {index}, which is out of range for a size of {size}.</source>
        <translation>输入 {input} 中的索引 {index} 超出了大小 {size} 的范围。</translation>
    </message>
    <message>
        <source>Input {input} holds {found}, but its elements must be {expected}.</source>
        <translation>输入 {input} 含有 {found}，但它的元素必须是 {expected}。</translation>
    </message>
    <message>
        <source>Input {input} is missing.</source>
        <translation>缺少输入 {input}。</translation>
    </message>
    <message>
        <source>Input {input} must be of type {expected}, but it is {found}.</source>
        <translation>输入 {input} 的类型必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Input {input} must have rank {expected}, but it has rank {found}.</source>
        <translation>输入 {input} 的秩必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Input {input} must have shape {expected}, but it has {found}.</source>
        <translation>输入 {input} 的形状必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Input {input} must have size {expected} at axis {axis}, but its shape is {found}.</source>
        <translation>输入 {input} 在轴 {axis} 上的大小必须是 {expected}，但它的形状是 {found}。</translation>
    </message>
    <message>
        <source>Input {input} must have {expected} element(s), as input 1 has, but it has {found}.</source>
        <translation>输入 {input} 必须和输入 1 一样有 {expected} 个元素，但它有 {found} 个。</translation>
    </message>
    <message>
        <source>Input {input} must hold square matrices, but its shape is {found}.</source>
        <translation>输入 {input} 必须由方阵组成，但它的形状是 {found}。</translation>
    </message>
    <message>
        <source>Input {input} of shape {found} cannot be broadcast to {expected}.</source>
        <translation>输入 {input} 的形状 {found} 无法广播为 {expected}。</translation>
    </message>
    <message>
        <source>Input {input} of shape {found} cannot be broadcast with {expected}.</source>
        <translation>输入 {input} 的形状 {found} 无法与 {expected} 一起广播。</translation>
    </message>
    <message>
        <source>Input {input} of shape {found} cannot be multiplied with {other}: the inner sizes differ.</source>
        <translation>形状为 {found} 的输入 {input} 无法与 {other} 相乘：内部大小不同。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, holds the index {index}, which is out of range for a size of {size}.</source>
        <translation>输入 {input}（`{value}`）含有索引 {index}，超出大小 {size} 的范围。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, holds {found}, but its elements must be {expected}.</source>
        <translation>输入 {input}（`{value}`）含有 {found}，但它的元素必须是 {expected}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, must be of type {expected}, but it is {found}.</source>
        <translation>输入 {input}（`{value}`）的类型必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, must have rank {expected}, but it has rank {found}.</source>
        <translation>输入 {input}（`{value}`）的秩必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, must have shape {expected}, but it has {found}.</source>
        <translation>输入 {input}（`{value}`）的形状必须是 {expected}，但它是 {found}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, must have size {expected} at axis {axis}, but its shape is {found}.</source>
        <translation>输入 {input}（`{value}`）在轴 {axis} 上的大小必须是 {expected}，但它的形状是 {found}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, must hold square matrices, but its shape is {found}.</source>
        <translation>输入 {input}（`{value}`）必须由方阵组成，但它的形状是 {found}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, of shape {found} cannot be broadcast to {expected}.</source>
        <translation>输入 {input}（`{value}`）的形状 {found} 无法广播为 {expected}。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, of shape {found} cannot be broadcast with {expected}.</source>
        <translation>输入 {input}（`{value}`）的形状 {found} 无法与 {expected} 一起广播。</translation>
    </message>
    <message>
        <source>Input {input}, `{value}`, of shape {found} cannot be multiplied with {other}: the inner sizes differ.</source>
        <translation>输入 {input}（`{value}`）的形状为 {found}，无法与 {other} 相乘：内部大小不同。</translation>
    </message>
    <message>
        <source>Inputs of `{op}`: at least {limit}; given: {found}.</source>
        <translation>`{op}` 的输入：至少 {limit} 个；给出：{found} 个。</translation>
    </message>
    <message>
        <source>Inputs of `{op}`: at most {limit}; given: {found}.</source>
        <translation>`{op}` 的输入：至多 {limit} 个；给出：{found} 个。</translation>
    </message>
    <message>
        <source>Line {line}, column {column}: {what}.</source>
        <translation>第 {line} 行，第 {column} 列：{what}。</translation>
    </message>
    <message>
        <source>More than one size of the wanted shape is -1 (axis {axis}).</source>
        <translation>目标形状中有不止一个 -1（轴 {axis}）。</translation>
    </message>
    <message>
        <source>No kernel runs the operator {op}.</source>
        <translation>没有内核能运行算子 {op}。</translation>
    </message>
    <message>
        <source>No value was given for `{value}`.</source>
        <translation>没有给出 `{value}` 的值。</translation>
    </message>
    <message>
        <source>Nothing can take the place of `{value}`: its replacement has no maker.</source>
        <translation>没有什么能取代 `{value}`：替代者没有生产者。</translation>
    </message>
    <message>
        <source>Nothing made the output `{value}`.</source>
        <translation>没有节点生成输出 `{value}`。</translation>
    </message>
    <message>
        <source>Nothing makes `{value}`.</source>
        <translation>没有节点生成 `{value}`。</translation>
    </message>
    <message>
        <source>Nothing to choose from: axis {axis} has no elements.</source>
        <translation>无可选择：轴 {axis} 没有元素。</translation>
    </message>
    <message>
        <source>ONNX has no operator `{op}`.</source>
        <translation>ONNX 没有算子 `{op}`。</translation>
    </message>
    <message>
        <source>One iteration gave {first} and another {later}: only results of one type and shape can be joined.</source>
        <translation>一次迭代给出 {first}，另一次给出 {later}：只有类型和形状都相同的结果才能拼接。</translation>
    </message>
    <message>
        <source>Only one of the attributes `{name}` may be set.</source>
        <translation>属性 `{name}` 中只能设置一个。</translation>
    </message>
    <message>
        <source>Output {output} is {then} from one branch and {else} from the other: both must give one type.</source>
        <translation>输出 {output} 在一个分支中是 {then}，在另一个分支中是 {else}：两者必须给出同一类型。</translation>
    </message>
    <message>
        <source>Outputs of `{op}`: at least {limit}; named: {found}.</source>
        <translation>`{op}` 的输出：至少 {limit} 个；命名：{found} 个。</translation>
    </message>
    <message>
        <source>Outputs of `{op}`: at most {limit}; named: {found}.</source>
        <translation>`{op}` 的输出：至多 {limit} 个；命名：{found} 个。</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>正在读取模型</translation>
    </message>
    <message>
        <source>Running {node}</source>
        <translation>正在运行 {node}</translation>
    </message>
    <message>
        <source>Shape {input} cannot become {target}: the numbers of elements differ.</source>
        <translation>形状 {input} 不能变为 {target}：元素个数不同。</translation>
    </message>
    <message>
        <source>The attribute `{name}` is given twice; the last one counts.</source>
        <translation>属性 `{name}` 给出了两次；以最后一次为准。</translation>
    </message>
    <message>
        <source>The attribute `{name}` of `{op}` is of the type {found}; it has to be {expected}.</source>
        <translation>`{op}` 的属性 `{name}` 类型是 {found}；应为 {expected}。</translation>
    </message>
    <message>
        <source>The attribute `{name}` refers to a function's attribute, but its node is in no function.</source>
        <translation>属性 `{name}` 引用函数的属性，但其节点不在任何函数中。</translation>
    </message>
    <message>
        <source>The attributes of {operator} do not fit together: {attribute}.</source>
        <translation>{operator} 的属性互不相容：{attribute}。</translation>
    </message>
    <message>
        <source>The call does not give the function's attribute `{name}`.</source>
        <translation>该调用没有给出函数的属性 `{name}`。</translation>
    </message>
    <message>
        <source>The calls of functions come to more than {limit} nodes, too many to run.</source>
        <translation>函数调用展开后超过 {limit} 个节点，太多而无法运行。</translation>
    </message>
    <message>
        <source>The condition, input {input}, selects {index}, but the axis has only {size} elements.</source>
        <translation>条件（输入 {input}）选中了 {index}，而该轴只有 {size} 个元素。</translation>
    </message>
    <message>
        <source>The contents are missing.</source>
        <translation>缺少内容。</translation>
    </message>
    <message>
        <source>The contents of the tensor `{tensor}` cannot lie in another file.</source>
        <translation>张量 `{tensor}` 的内容不能放在另一个文件中。</translation>
    </message>
    <message>
        <source>The differentiated value depends on `{value}`, which Gradient does not list.</source>
        <translation>被求导的值依赖于 `{value}`，而 Gradient 没有列出它。</translation>
    </message>
    <message>
        <source>The equation `{equation}` does not fit inputs of the rank(s) {found}.</source>
        <translation>等式 `{equation}` 不适合秩为 {found} 的输入。</translation>
    </message>
    <message>
        <source>The file does not say its IR version.</source>
        <translation>文件没有说明其 IR 版本。</translation>
    </message>
    <message>
        <source>The file has the IR version {version}; only versions up to {known} are known.</source>
        <translation>文件的 IR 版本是 {version}；只知道 {known} 及以下的版本。</translation>
    </message>
    <message>
        <source>The file is cut off: it ends after {size} bytes, and at least {missing} more are missing. Nothing was opened.</source>
        <translation>文件被截断：它在 {size} 字节处结束，至少还缺 {missing} 字节。没有打开任何内容。</translation>
    </message>
    <message>
        <source>The file is damaged: it cannot be read on from byte {offset}.</source>
        <translation>文件已损坏：从第 {offset} 字节起无法继续读取。</translation>
    </message>
    <message>
        <source>The folder `{folder}` does not exist.</source>
        <translation>文件夹 `{folder}` 不存在。</translation>
    </message>
    <message>
        <source>The function `{name}` is defined twice.</source>
        <translation>函数 `{name}` 定义了两次。</translation>
    </message>
    <message>
        <source>The graph `{graph}` gives out `{name}`, which nothing defines.</source>
        <translation>图 `{graph}` 输出了 `{name}`，但没有什么定义它。</translation>
    </message>
    <message>
        <source>The graph cannot be drawn: an edge or a frame of it leads nowhere.</source>
        <translation>无法绘制此图：它的某条边或某个框没有去处。</translation>
    </message>
    <message>
        <source>The indices of the sparse tensor `{tensor}` do not ascend, or lie outside its shape.</source>
        <translation>稀疏张量 `{tensor}` 的索引没有递增，或超出其形状。</translation>
    </message>
    <message>
        <source>The inner graph `{name}` must have {expected} output(s), but it has {found}.</source>
        <translation>内层图 `{name}` 必须有 {expected} 个输出，但它有 {found} 个。</translation>
    </message>
    <message>
        <source>The inner graph cannot be run here.</source>
        <translation>内部图不能在此运行。</translation>
    </message>
    <message>
        <source>The inner graph does not make the outputs that its node gives.</source>
        <translation>内部图没有生成其节点给出的输出。</translation>
    </message>
    <message>
        <source>The input `{value}` has no type.</source>
        <translation>输入 `{value}` 没有类型。</translation>
    </message>
    <message>
        <source>The loop did not end after {limit} iterations.</source>
        <translation>循环在 {limit} 次迭代后仍未结束。</translation>
    </message>
    <message>
        <source>The model has more than {limit} nodes.</source>
        <translation>模型的节点多于 {limit} 个。</translation>
    </message>
    <message>
        <source>The model has no input named `{name}`.</source>
        <translation>模型没有名为 `{name}` 的输入。</translation>
    </message>
    <message>
        <source>The model has no outputs.</source>
        <translation>模型没有输出。</translation>
    </message>
    <message>
        <source>The model imports no operator set.</source>
        <translation>模型没有导入任何算子集。</translation>
    </message>
    <message>
        <source>The model takes {size} bytes, and one file holds 2 GB at most: its weights have to be written as external data, beside it.</source>
        <translation>模型需要 {size} 字节，而单个文件最多容纳 2 GB：权重必须作为外部数据写在它旁边。</translation>
    </message>
    <message>
        <source>The name `{name}` is defined more than once in one graph.</source>
        <translation>名称 `{name}` 在一个图中定义了不止一次。</translation>
    </message>
    <message>
        <source>The nodes are not in topological order; they were sorted.</source>
        <translation>节点不是拓扑顺序；已为其排序。</translation>
    </message>
    <message>
        <source>The operator `{op}` came with opset {since}; the model imports opset {version}.</source>
        <translation>算子 `{op}` 从 opset {since} 才有；模型导入的是 opset {version}。</translation>
    </message>
    <message>
        <source>The operator `{op}` is deprecated since opset {since}.</source>
        <translation>算子 `{op}` 自 opset {since} 起已弃用。</translation>
    </message>
    <message>
        <source>The operator set `{domain}` is imported in the impossible version {version}.</source>
        <translation>算子集 `{domain}` 以不可能的版本 {version} 导入。</translation>
    </message>
    <message>
        <source>The operator set `{domain}` is imported in version {version}; only versions up to {known} are known.</source>
        <translation>算子集 `{domain}` 以版本 {version} 导入；只知道 {known} 及以下的版本。</translation>
    </message>
    <message>
        <source>The operator set `{domain}` is imported twice; the first one counts.</source>
        <translation>算子集 `{domain}` 导入了两次；以第一次为准。</translation>
    </message>
    <message>
        <source>The operator set `{domain}` is not imported.</source>
        <translation>算子集 `{domain}` 没有导入。</translation>
    </message>
    <message>
        <source>The optional value is empty.</source>
        <translation>可选值为空。</translation>
    </message>
    <message>
        <source>The parts {sum} do not add up to the size {size} of the axis.</source>
        <translation>各部分 {sum} 加起来不等于轴的大小 {size}。</translation>
    </message>
    <message>
        <source>The place of the tensor `{tensor}` in `{file}` is not a number: `{text}`.</source>
        <translation>张量 `{tensor}` 在 `{file}` 中的位置不是数字：`{text}`。</translation>
    </message>
    <message>
        <source>The readers noted for a value differ from its readers.</source>
        <translation>记录的某个值的读取者与实际不同。</translation>
    </message>
    <message>
        <source>The rewrite does not fit the graph as it stands.</source>
        <translation>该改写与当前的图不符。</translation>
    </message>
    <message>
        <source>The sequence is empty: nothing can be joined.</source>
        <translation>序列为空：没有可拼接的内容。</translation>
    </message>
    <message>
        <source>The shapes of query, key, value and state do not fit each other: {found}.</source>
        <translation>query、key、value 与状态的形状互不相符：{found}。</translation>
    </message>
    <message>
        <source>The size {size} cannot be split into {count} equal parts.</source>
        <translation>大小 {size} 不能分成 {count} 等份。</translation>
    </message>
    <message>
        <source>The sizes along axis {axis} differ: {first} and {second}.</source>
        <translation>轴 {axis} 上的大小不同：{first} 与 {second}。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` has a negative or impossible size.</source>
        <translation>张量 `{tensor}` 的大小为负或不可能。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` has an impossible size.</source>
        <translation>张量 `{tensor}` 的大小不可能。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` has no contents in the file.</source>
        <translation>张量 `{tensor}` 在文件中没有内容。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` has the unknown element type {dtype}.</source>
        <translation>张量 `{tensor}` 的元素类型 {dtype} 未知。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` needs {expected} bytes, but {found} are given.</source>
        <translation>张量 `{tensor}` 需要 {expected} 字节，但给出了 {found} 字节。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` needs {expected} elements, but {found} are given.</source>
        <translation>张量 `{tensor}` 需要 {expected} 个元素，但给出了 {found} 个。</translation>
    </message>
    <message>
        <source>The tensor `{tensor}` needs {needed} bytes from byte {offset} of `{file}` on, which has {size} bytes.</source>
        <translation>张量 `{tensor}` 需要从 `{file}` 的第 {offset} 字节起的 {needed} 字节，而文件只有 {size} 字节。</translation>
    </message>
    <message>
        <source>The text `{text}` is not a number.</source>
        <translation>文本 `{text}` 不是数字。</translation>
    </message>
    <message>
        <source>The weights of `{tensor}` are missing: `{file}` cannot be opened ({why}). The graph is shown; folding and running need them.</source>
        <translation>缺少 `{tensor}` 的权重：无法打开 `{file}`（{why}）。图可以查看，折叠与运行需要它。</translation>
    </message>
    <message>
        <source>The window does not fit into the padded input of shape {shape}.</source>
        <translation>窗口放不进补边后形状为 {shape} 的输入。</translation>
    </message>
    <message>
        <source>The {channels} channels of input 1 do not fit weights of shape {weights} in {groups} group(s).</source>
        <translation>输入 1 的 {channels} 个通道与形状为 {weights}、分为 {groups} 组的权重不符。</translation>
    </message>
    <message>
        <source>There is no room for `{file}`: it needs {need} bytes, {free} are free.</source>
        <translation>`{file}` 没有空间：需要 {need} 字节，剩余 {free} 字节。</translation>
    </message>
    <message>
        <source>There is not enough memory for this.</source>
        <translation>内存不足，无法完成。</translation>
    </message>
    <message>
        <source>This file holds no ONNX graph.</source>
        <translation>该文件中没有 ONNX 图。</translation>
    </message>
    <message>
        <source>This is not an ONNX model, or it is cut off: it cannot be read on from byte {offset}.</source>
        <translation>这不是 ONNX 模型，或已被截断：从第 {offset} 字节起无法继续读取。</translation>
    </message>
    <message>
        <source>Writing the model</source>
        <translation>正在写出模型</translation>
    </message>
    <message>
        <source>Zero to a negative power at element {index}.</source>
        <translation>元素 {index} 处为零的负数次幂。</translation>
    </message>
    <message>
        <source>`BatchNormalization` has more than one output, but does not run in training mode.</source>
        <translation>`BatchNormalization` 有不止一个输出，但不在训练模式。</translation>
    </message>
    <message>
        <source>`{file}` cannot be opened: {why}.</source>
        <translation>无法打开 `{file}`：{why}。</translation>
    </message>
    <message>
        <source>`{file}` cannot be written: {why}.</source>
        <translation>无法写入 `{file}`：{why}。</translation>
    </message>
    <message>
        <source>`{file}` does not hold what its header says.</source>
        <translation>`{file}` 的内容与其文件头所述不符。</translation>
    </message>
    <message>
        <source>`{file}` exists already.</source>
        <translation>`{file}` 已存在。</translation>
    </message>
    <message>
        <source>`{file}` holds arrays of the type `{type}`, which ONNX does not have.</source>
        <translation>`{file}` 中数组的类型是 `{type}`，ONNX 没有该类型。</translation>
    </message>
    <message>
        <source>`{file}` is cut off or damaged.</source>
        <translation>`{file}` 被截断或已损坏。</translation>
    </message>
    <message>
        <source>`{file}` is not a regular file.</source>
        <translation>`{file}` 不是普通文件。</translation>
    </message>
    <message>
        <source>`{file}` is not a {format} file.</source>
        <translation>`{file}` 不是 {format} 文件。</translation>
    </message>
    <message>
        <source>`{file}` is the model that is open, or holds its weights; it is never written.</source>
        <translation>`{file}` 是已打开的模型，或存放其权重；绝不写入。</translation>
    </message>
    <message>
        <source>`{file}` lies outside the model's folder and is not read.</source>
        <translation>`{file}` 在模型目录之外，未读取。</translation>
    </message>
    <message>
        <source>`{file}` would be larger than the 4 GB that an .npz file holds.</source>
        <translation>`{file}` 会超过 .npz 文件的 4 GB 上限。</translation>
    </message>
    <message>
        <source>`{name}` is an input or initializer of the graph, and {node} writes it as well. A name may be written once in a graph.</source>
        <translation>`{name}` 是图的输入或初始值，而 {node} 也写入它。同一名称在一个图中只能写入一次。</translation>
    </message>
    <message>
        <source>`{name}` is none of the functions that `activations` may name.</source>
        <translation>`{name}` 不是 `activations` 可以使用的函数。</translation>
    </message>
    <message>
        <source>`{name}` is written twice by {node}. A name may be written once in a graph.</source>
        <translation>`{name}` 被 {node} 写入两次。同一名称在一个图中只能写入一次。</translation>
    </message>
    <message>
        <source>`{name}` is written twice: by {first} and by {second}. A name may be written once in a graph.</source>
        <translation>`{name}` 被写入两次：{first} 和 {second}。同一名称在一个图中只能写入一次。</translation>
    </message>
    <message>
        <source>`{name}` must have {expected} element(s), but it has {found}.</source>
        <translation>`{name}` 必须有 {expected} 个元素，但它有 {found} 个。</translation>
    </message>
    <message>
        <source>`{node}` drops elements at random, and no BatchNormalization is in training mode: the module was exported in train mode, which PyTorch's exporter writes into Dropout alone. Export it after eval().</source>
        <translation>`{node}` 会随机丢弃元素，而没有 BatchNormalization 处于训练模式：该模块是在训练模式下导出的，PyTorch 的导出器只把这一点写入 Dropout。请在调用 eval() 之后再导出。</translation>
    </message>
    <message>
        <source>`{op}` has no attribute `{name}` at this opset.</source>
        <translation>`{op}` 在此 opset 中没有属性 `{name}`。</translation>
    </message>
    <message>
        <source>`{op}` lacks its attribute `{name}`.</source>
        <translation>`{op}` 缺少属性 `{name}`。</translation>
    </message>
    <message>
        <source>`{op}` lacks its input `{name}`.</source>
        <translation>`{op}` 缺少输入 `{name}`。</translation>
    </message>
    <message>
        <source>`{size}` is not a size: character {position} does not fit.</source>
        <translation>`{size}` 不是大小：第 {position} 个字符不合适。</translation>
    </message>
    <message>
        <source>`{value}` is an output of the model: a rewrite would have taken its name.</source>
        <translation>`{value}` 是模型的输出：这次改写会夺走它的名字。</translation>
    </message>
    <message>
        <source>`{value}` is declared as {declared}, but the node makes {inferred}.</source>
        <translation>`{value}` 声明为 {declared}，但节点生成 {inferred}。</translation>
    </message>
    <message>
        <source>`{value}` is not visible where it is read.</source>
        <translation>`{value}` 在读取之处不可见。</translation>
    </message>
    <message>
        <source>`{value}` is read before it is made.</source>
        <translation>`{value}` 在生成之前就被读取。</translation>
    </message>
    <message>
        <source>`{value}` is {before}, but a rewrite would have made it {after}.</source>
        <translation>`{value}` 是 {before}，而一次改写会把它变成 {after}。</translation>
    </message>
    <message>
        <source>{file} was changed while it was open: what was read of it is not to be trusted.</source>
        <translation>{file} 在打开期间被修改：已读取的内容不可信。</translation>
    </message>
    <message>
        <source>{op} has no kernel for elements of type {type}.</source>
        <translation>{op} 没有元素类型为 {type} 的内核。</translation>
    </message>
    <message>
        <source>{reader} depends on its own output: the graph has a cycle.</source>
        <translation>{reader} 依赖自己的输出：图中有环。</translation>
    </message>
    <message>
        <source>{reader} reads `{name}`, which nothing defines.</source>
        <translation>{reader} 读取 `{name}`，但没有什么定义它。</translation>
    </message>
    <message>
        <source>{what} must be {expected}, but it is {found}.</source>
        <translation>{what} 必须是 {expected}，但它是 {found}。</translation>
    </message>
</context>
<context>
    <name>Edit</name>
    <message>
        <source>Drop {node} and all that needs it</source>
        <translation>去掉 {node} 及依赖它的一切</translation>
    </message>
    <message>
        <source>Input {index} of {node} cannot read that value: it does not stand before the node.</source>
        <translation>{node} 的输入 {index} 不能读取该值：它不在该节点之前。</translation>
    </message>
    <message>
        <source>Let {node} read {value} as input {index}</source>
        <translation>让 {node} 以 {value} 作为输入 {index}</translation>
    </message>
    <message>
        <source>Set {name} of {node} to {text}</source>
        <translation>将 {node} 的 {name} 设为 {text}</translation>
    </message>
    <message>
        <source>Take input {index} of {node} away</source>
        <translation>去掉 {node} 的输入 {index}</translation>
    </message>
    <message>
        <source>Take {name} of {node} away</source>
        <translation>去掉 {node} 的 {name}</translation>
    </message>
    <message>
        <source>{node} cannot be dropped: no output would be left, or a node with side effects needs it.</source>
        <translation>无法去掉 {node}：那样将没有输出，或有副作用的节点需要它。</translation>
    </message>
    <message>
        <source>{node} is no node of the file.</source>
        <translation>{node} 不是文件中的节点。</translation>
    </message>
    <message>
        <source>{text} is no value for the attribute {name}.</source>
        <translation>{text} 不是属性 {name} 的有效值。</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>Blocked: constants and weights</source>
        <translation>受阻：常量与权重</translation>
    </message>
    <message>
        <source>Blocked: modes and versions</source>
        <translation>受阻：模式与版本</translation>
    </message>
    <message>
        <source>Blocked: read elsewhere</source>
        <translation>受阻：别处也读取</translation>
    </message>
    <message>
        <source>Blocked: shapes and types</source>
        <translation>受阻：形状与类型</translation>
    </message>
    <message>
        <source>Blocked: something in between</source>
        <translation>受阻：中间有别的算子</translation>
    </message>
    <message>
        <source>Folding and clean-up</source>
        <translation>折叠与清理</translation>
    </message>
    <message>
        <source>Fusions: convolution</source>
        <translation>融合：卷积</translation>
    </message>
    <message>
        <source>Fusions: matrix product</source>
        <translation>融合：矩阵乘积</translation>
    </message>
    <message>
        <source>Fusions: normalization and activation</source>
        <translation>融合：归一化与激活</translation>
    </message>
    <message>
        <source>Whole models</source>
        <translation>完整模型</translation>
    </message>
</context>
<context>
    <name>Explain</name>
    <message>
        <source>No pattern covers {a} ({opA}) and {b} ({opB}), which reads it.</source>
        <translation>没有模式涵盖 {a}（{opA}）与读取它的 {b}（{opB}）。</translation>
    </message>
    <message>
        <source>No pattern covers {a} and {b}: neither is computed from the other.</source>
        <translation>没有模式涵盖 {a} 与 {b}：二者互不由对方算出。</translation>
    </message>
    <message>
        <source>No pattern covers {a} and {b}: one node stands between them, {node}.</source>
        <translation>没有模式涵盖 {a} 与 {b}：两者之间有一个节点 {node}。</translation>
    </message>
    <message>
        <source>No pattern covers {a} and {b}: {count} nodes stand between them, the first is {node}.</source>
        <translation>没有模式涵盖 {a} 与 {b}：两者之间有 {count} 个节点，第一个是 {node}。</translation>
    </message>
    <message>
        <source>No rule ends in {opA} or {opB}.</source>
        <translation>没有规则以 {opA} 或 {opB} 结尾。</translation>
    </message>
    <message>
        <source>Step {step}, {rule}, took both {a} and {b} away.</source>
        <translation>第 {step} 步 {rule} 去掉了 {a} 与 {b}。</translation>
    </message>
    <message>
        <source>Step {step}, {rule}, took {node} away without {other}; after that there was no pair to fuse.</source>
        <translation>第 {step} 步 {rule} 去掉了 {node}，与 {other} 无关；此后不再有可融合的一对。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it ends in {opB} too, but what {b} reads is not what it looks for.</source>
        <translation>最接近的规则是 {rule}：它也以 {opB} 结尾，但 {b} 读取的不是它要找的。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it looks at {node} by itself, and is blocked.</source>
        <translation>最接近的规则是 {rule}：它只看 {node} 一个节点，并且受阻。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it looks at {node} by itself, and is off.</source>
        <translation>最接近的规则是 {rule}：它只看 {node} 一个节点，并且已关闭。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it looks at {node} with {with}, not with {other}, and is blocked.</source>
        <translation>最接近的规则是 {rule}：它看的是 {node} 与 {with}，而不是 {other}，并且受阻。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it looks at {node}, and {other} is what stands in its way.</source>
        <translation>最接近的规则是 {rule}：它看的是 {node}，而挡住它的正是 {other}。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it looks at {node}, not at {other}, and is blocked.</source>
        <translation>最接近的规则是 {rule}：它看的是 {node}，而不是 {other}，并且受阻。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it takes {node} with {with}, not with {other}.</source>
        <translation>最接近的规则是 {rule}：它取 {node} 与 {with}，而不是 {other}。</translation>
    </message>
    <message>
        <source>The nearest rule is {rule}: it takes {opA} too, but ends in {types}.</source>
        <translation>最接近的规则是 {rule}：它也取 {opA}，但以 {types} 结尾。</translation>
    </message>
    <message>
        <source>{a} and {b} can be fused: {rule} applies.</source>
        <translation>{a} 与 {b} 可以融合：{rule} 适用。</translation>
    </message>
    <message>
        <source>{a} and {b} were fused at step {step}.</source>
        <translation>{a} 与 {b} 已在第 {step} 步融合。</translation>
    </message>
    <message>
        <source>{a} and {b} were rewritten together at step {step}, by {rule}.</source>
        <translation>{a} 与 {b} 已在第 {step} 步由 {rule} 一起改写。</translation>
    </message>
    <message>
        <source>{node} became part of {heir} at step {step}.</source>
        <translation>{node} 在第 {step} 步成为 {heir} 的一部分。</translation>
    </message>
    <message>
        <source>{rule} could have fused {a} and {b}, but step {step}, {by}, took one of them before.</source>
        <translation>{rule} 本可融合 {a} 与 {b}，但第 {step} 步 {by} 先取走了其中之一。</translation>
    </message>
    <message>
        <source>{rule} rewrites {node} by itself; no rule takes {a} and {b} together.</source>
        <translation>{rule} 单独改写 {node}；没有规则把 {a} 与 {b} 一起取。</translation>
    </message>
    <message>
        <source>{rule} would fuse {a} and {b}, and is blocked.</source>
        <translation>{rule} 会融合 {a} 与 {b}，但受阻。</translation>
    </message>
    <message>
        <source>{rule} would fuse {a} and {b}, and is off.</source>
        <translation>{rule} 会融合 {a} 与 {b}，但已关闭。</translation>
    </message>
    <message>
        <source>{rule} would fuse {a} and {b}, but the run ended before it came to that.</source>
        <translation>{rule} 会融合 {a} 与 {b}，但运行在此之前已结束。</translation>
    </message>
    <message>
        <source>{rule} would fuse {a} and {b}: that is step {step}, which was skipped.</source>
        <translation>{rule} 会融合 {a} 与 {b}：这是第 {step} 步，而该步被跳过。</translation>
    </message>
    <message>
        <source>{rule} would rewrite {node} by itself, but the run ended before it came to that.</source>
        <translation>{rule} 会单独改写 {node}，但运行在此之前就结束了。</translation>
    </message>
    <message>
        <source>{rule} would rewrite {node} by itself: that is step {step}, which was skipped.</source>
        <translation>{rule} 会单独改写 {node}：这是第 {step} 步，而该步被跳过。</translation>
    </message>
</context>
<context>
    <name>ExportNotice</name>
    <message>
        <source>%1 was not written: the outputs differ. %2</source>
        <translation>未写出 %1：输出不一致。%2</translation>
    </message>
    <message>
        <source>A fused node counts as one here (%1 nodes), in the file with all its operators (%2).</source>
        <translation>融合节点在此处计为一个（共 %1 个节点），在文件中则按其全部算子计（%2 个）。</translation>
    </message>
    <message numerus="yes">
        <source>Exported %1 and checked: %n node(s), outputs agree, max |Δ| %2.</source>
        <translation>
            <numerusform>已导出并核对 %1：%n 个节点，输出一致，最大 |Δ| %2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %1: %n node(s), not fully proved: %2</source>
        <translation>
            <numerusform>已导出 %1：%n 个节点，未完全证明：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>Show in Folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message numerus="yes">
        <source>The opened file has %n problem(s), and so has this one: see Messages.</source>
        <translation>
            <numerusform>打开的文件有 %n 个问题，这个文件也有：请看“消息”。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Fix</name>
    <message>
        <source>Drop the model output {value}</source>
        <translation>去掉模型输出 {value}</translation>
    </message>
    <message>
        <source>Freeze all initializers</source>
        <translation>冻结全部初始化器</translation>
    </message>
    <message>
        <source>Freeze the initializer {value}</source>
        <translation>冻结初始化器 {value}</translation>
    </message>
    <message>
        <source>Give each reader of {node} its own copy</source>
        <translation>为 {node} 的每个读取者各建一份副本</translation>
    </message>
    <message>
        <source>Remove {node}, which changes nothing</source>
        <translation>移除不起作用的 {node}</translation>
    </message>
    <message>
        <source>Set {node} to inference mode</source>
        <translation>将 {node} 设为推理模式</translation>
    </message>
    <message>
        <source>The fix {fix} does not apply to what it names.</source>
        <translation>修复 {fix} 不适用于所指的对象。</translation>
    </message>
</context>
<context>
    <name>GraphCanvas</name>
    <message>
        <source>+%1 more</source>
        <translation>还有 %1 项</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>body: %1</source>
        <translation>内部图：%1</translation>
    </message>
    <message>
        <source>culprit</source>
        <translation>症结</translation>
    </message>
</context>
<context>
    <name>Mark</name>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>coming</source>
        <translation>未到</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>held back by a setting</source>
        <translation>被设置阻止</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>not worthwhile</source>
        <translation>不划算</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <source>, </source>
        <comment>between the members of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Apply fix: drop output %1</source>
        <translation>应用修复：去掉输出 %1</translation>
    </message>
    <message>
        <source>Apply fix: drop the extra outputs of %1</source>
        <translation>应用修复：去掉 %1 多余的输出</translation>
    </message>
    <message>
        <source>Apply fix: duplicate %1</source>
        <translation>应用修复：复制 %1</translation>
    </message>
    <message>
        <source>Apply fix: freeze %1</source>
        <translation>应用修复：冻结 %1</translation>
    </message>
    <message>
        <source>Apply fix: remove %1</source>
        <translation>应用修复：移除 %1</translation>
    </message>
    <message>
        <source>Apply fix: training_mode = 0</source>
        <translation>应用修复：training_mode = 0</translation>
    </message>
    <message>
        <source>Drop output</source>
        <translation>去掉输出</translation>
    </message>
    <message>
        <source>Drop outputs</source>
        <translation>去掉输出</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Set to 0</source>
        <translation>设为 0</translation>
    </message>
    <message>
        <source>This fix changes the model's inputs or outputs. It becomes a step that can be undone.</source>
        <translation>此修复会改变模型的输入或输出。它成为一个可撤销的步骤。</translation>
    </message>
    <message>
        <source>This fix changes what the model computes and its inputs or outputs. It becomes a step that can be undone.</source>
        <translation>此修复会改变模型的计算内容及其输入或输出。它成为一个可撤销的步骤。</translation>
    </message>
    <message>
        <source>This fix changes what the model computes. It becomes a step that can be undone.</source>
        <translation>此修复会改变模型的计算内容。它成为一个可撤销的步骤。</translation>
    </message>
    <message>
        <source>all initializers</source>
        <translation>全部初始化器</translation>
    </message>
</context>
<context>
    <name>Nearest</name>
    <message>
        <source>Did you mean "%1"?</source>
        <translation>您是指“%1”吗？</translation>
    </message>
    <message>
        <source>There are none.</source>
        <translation>没有可选项。</translation>
    </message>
    <message numerus="yes">
        <source>There are: %1, and %n more.</source>
        <translation>
            <numerusform>可选：%1，另有 %n 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>There are: %1.</source>
        <translation>可选：%1。</translation>
    </message>
</context>
<context>
    <name>PlanFile</name>
    <message>
        <source>"%1" has a value of the wrong type.</source>
        <translation>“%1”的值类型不对。</translation>
    </message>
    <message>
        <source>The file is not a plan.</source>
        <translation>该文件不是方案文件。</translation>
    </message>
    <message>
        <source>The fix "%1" needs a name: %1@NAME.</source>
        <translation>修复“%1”需要名称：%1@NAME。</translation>
    </message>
    <message>
        <source>The model has no node or value "%1".</source>
        <translation>模型没有节点或值“%1”。</translation>
    </message>
    <message>
        <source>There is no fix "%1".</source>
        <translation>没有修复“%1”。</translation>
    </message>
    <message>
        <source>There is no stage or rule "%1"; --list-passes names them.</source>
        <translation>没有名为“%1”的阶段或规则；--list-passes 会列出它们。</translation>
    </message>
    <message>
        <source>There is no target "%1"; --list-targets names them.</source>
        <translation>没有目标“%1”；--list-targets 会列出所有目标。</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>the picture is too large</source>
        <translation>图片太大</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>0 copies another size</source>
        <translation>0 复制另一尺寸</translation>
    </message>
    <message>
        <source>A 0 copies another dimension</source>
        <translation>0 复制了另一个维度</translation>
    </message>
    <message>
        <source>A Cast stands between</source>
        <translation>中间有一个 Cast</translation>
    </message>
    <message>
        <source>A Gradient differentiates it</source>
        <translation>Gradient 对它求导</translation>
    </message>
    <message>
        <source>A Split of `{value}` would need a Squeeze behind {count} of its parts: more nodes than the {found} that take them now.</source>
        <translation>对 `{value}` 做 Split 需要在 {count} 个部分之后各加一个 Squeeze：比现在取各部分的 {found} 个节点还多。</translation>
    </message>
    <message>
        <source>A bound is NaN</source>
        <translation>某个边界是 NaN</translation>
    </message>
    <message>
        <source>A constant has another value</source>
        <translation>某个常量的值不同</translation>
    </message>
    <message>
        <source>A constant is not one number</source>
        <translation>某个常量不是一个数</translation>
    </message>
    <message>
        <source>A custom operator stands between</source>
        <translation>中间有一个自定义算子</translation>
    </message>
    <message>
        <source>A dimension is zero</source>
        <translation>某个维度为零</translation>
    </message>
    <message>
        <source>A parameter has the wrong shape</source>
        <translation>某个参数的形状不对</translation>
    </message>
    <message>
        <source>A second output is used</source>
        <translation>用到了第二个输出</translation>
    </message>
    <message>
        <source>A shape is not known</source>
        <translation>某个形状未知</translation>
    </message>
    <message>
        <source>A shape operator stands between</source>
        <translation>中间有一个形状算子</translation>
    </message>
    <message>
        <source>A size depends on the data</source>
        <translation>某个尺寸取决于数据</translation>
    </message>
    <message>
        <source>A size is symbolic</source>
        <translation>某个大小是符号</translation>
    </message>
    <message>
        <source>A size may be 0</source>
        <translation>某个尺寸可能为 0</translation>
    </message>
    <message>
        <source>Activation cannot be fused</source>
        <translation>该激活不能融合</translation>
    </message>
    <message>
        <source>Adding +0 changes the sign of −0</source>
        <translation>加 +0 会改变 −0 的符号</translation>
    </message>
    <message>
        <source>Already fused before it</source>
        <translation>已与前面融合</translation>
    </message>
    <message>
        <source>Already fused with what is before it</source>
        <translation>已与前面的节点融合</translation>
    </message>
    <message>
        <source>Already has an activation</source>
        <translation>已有一个激活</translation>
    </message>
    <message>
        <source>Also a model input</source>
        <translation>也是模型输入</translation>
    </message>
    <message>
        <source>An activation stands between</source>
        <translation>中间有一个激活</translation>
    </message>
    <message>
        <source>An attribute does not fit</source>
        <translation>某个属性不合适</translation>
    </message>
    <message>
        <source>An attribute is the caller's</source>
        <translation>属性由调用者给出</translation>
    </message>
    <message>
        <source>An inner graph still reads it</source>
        <translation>内层图仍在读取它</translation>
    </message>
    <message>
        <source>An integer that {target} does not hold wraps around, but not behind `{node}`: `{last}` casts from {type}.</source>
        <translation>{target} 容不下的整数会回绕，但在 `{node}` 之后不会：`{last}` 从 {type} 转换。</translation>
    </message>
    <message>
        <source>Another operator stands between</source>
        <translation>中间有另一个算子</translation>
    </message>
    <message>
        <source>Ask for quantization to be folded.</source>
        <translation>要求折叠量化。</translation>
    </message>
    <message>
        <source>Attribute does not fit</source>
        <translation>属性不合适</translation>
    </message>
    <message>
        <source>Axis is not covered</source>
        <translation>没有覆盖该轴</translation>
    </message>
    <message>
        <source>BatchNormalization in training mode</source>
        <translation>BatchNormalization 处于训练模式</translation>
    </message>
    <message>
        <source>Bring the factors of the model nearer to 1, or export in a wider type.</source>
        <translation>让模型中的系数更接近 1，或以范围更宽的类型导出。</translation>
    </message>
    <message>
        <source>Broadcasting enlarges result</source>
        <translation>广播使结果变大</translation>
    </message>
    <message>
        <source>Broadcasting would enlarge the result</source>
        <translation>广播会使结果变大</translation>
    </message>
    <message>
        <source>Call is too large</source>
        <translation>调用太大</translation>
    </message>
    <message>
        <source>Caller's attribute</source>
        <translation>调用者的属性</translation>
    </message>
    <message>
        <source>Cast both to one type.</source>
        <translation>将两者转换为同一类型。</translation>
    </message>
    <message>
        <source>Cast changes values</source>
        <translation>Cast 改变数值</translation>
    </message>
    <message>
        <source>Cast to {target} directly if wrapping around is meant.</source>
        <translation>如果本意就是回绕，请直接转换为 {target}。</translation>
    </message>
    <message>
        <source>Changes sign of −0</source>
        <translation>改变 −0 的符号</translation>
    </message>
    <message>
        <source>Channel counts differ</source>
        <translation>通道数不同</translation>
    </message>
    <message>
        <source>Channel {channel} of `{node}` has variance + epsilon = {value}, so the model already gives NaN or Inf.</source>
        <translation>`{node}` 的通道 {channel} 的方差 + epsilon = {value}，因此模型本来就得到 NaN 或 Inf。</translation>
    </message>
    <message>
        <source>Check those channels, or export in float32, which reaches farther.</source>
        <translation>检查这些通道，或以范围更大的 float32 导出。</translation>
    </message>
    <message>
        <source>Choose another target.</source>
        <translation>选择另一个目标。</translation>
    </message>
    <message>
        <source>Comes from the call</source>
        <translation>来自函数调用</translation>
    </message>
    <message>
        <source>Computed at run time</source>
        <translation>运行时计算</translation>
    </message>
    <message>
        <source>Constant belongs to an outer graph</source>
        <translation>常量属于外层图</translation>
    </message>
    <message>
        <source>Constant does not act per channel</source>
        <translation>常量不按通道作用</translation>
    </message>
    <message>
        <source>Constant has another value</source>
        <translation>常量的值不同</translation>
    </message>
    <message>
        <source>Convert the function to the model's opset.</source>
        <translation>将该函数转换到模型的 opset。</translation>
    </message>
    <message>
        <source>Convert the model to float32.</source>
        <translation>将模型转换为 float32。</translation>
    </message>
    <message>
        <source>Convert the model with the ONNX version converter.</source>
        <translation>用 ONNX 版本转换器转换模型。</translation>
    </message>
    <message>
        <source>Convert the operands to float.</source>
        <translation>将操作数转换为浮点。</translation>
    </message>
    <message>
        <source>Crop with a Slice instead.</source>
        <translation>改用 Slice 裁剪。</translation>
    </message>
    <message>
        <source>Custom operator between</source>
        <translation>中间有自定义算子</translation>
    </message>
    <message>
        <source>Custom operator that shares the name</source>
        <translation>只是同名的自定义算子</translation>
    </message>
    <message>
        <source>Declare the shape in the file, or give the free dimensions a size.</source>
        <translation>在文件中声明形状，或给自由维度一个大小。</translation>
    </message>
    <message>
        <source>Differs at each run</source>
        <translation>每次运行都不同</translation>
    </message>
    <message>
        <source>Dimension {axis} of `{value}` is as large as what `{node}` finds in its data, so it is known only when the model runs.</source>
        <translation>`{value}` 的维度 {axis} 取决于 `{node}` 在数据中找到的数量，只有运行时才知道。</translation>
    </message>
    <message>
        <source>Dimension {axis} of `{value}` is symbolic ({size}), so its size is known only when the model runs.</source>
        <translation>`{value}` 的第 {axis} 维是符号维 ({size})，运行时才知道其大小。</translation>
    </message>
    <message>
        <source>Drop that output if it served debugging only.</source>
        <translation>若该输出仅供调试，可去掉它。</translation>
    </message>
    <message>
        <source>Drop the Cast if the text of the {source} is meant.</source>
        <translation>若要的是 {source} 的文本，请去掉该 Cast。</translation>
    </message>
    <message>
        <source>Drop the Cast, or cast to a wider type.</source>
        <translation>去掉 Cast，或转换到更宽的类型。</translation>
    </message>
    <message>
        <source>Drop the outputs but the first.</source>
        <translation>只保留第一个输出。</translation>
    </message>
    <message>
        <source>Drop the reader of the mask.</source>
        <translation>去掉读取掩码的节点。</translation>
    </message>
    <message>
        <source>Drop what reads that output.</source>
        <translation>去掉读取该输出的节点。</translation>
    </message>
    <message>
        <source>Dropout in training mode</source>
        <translation>Dropout 处于训练模式</translation>
    </message>
    <message>
        <source>Dropout is in training mode</source>
        <translation>Dropout 处于训练模式</translation>
    </message>
    <message>
        <source>Element type does not fit</source>
        <translation>元素类型不合适</translation>
    </message>
    <message>
        <source>Element types are mixed</source>
        <translation>元素类型混杂</translation>
    </message>
    <message>
        <source>Expand `{a}` to the shape of `{b}` beforehand.</source>
        <translation>事先将 `{a}` 展开为 `{b}` 的形状。</translation>
    </message>
    <message>
        <source>Export it as a scalar.</source>
        <translation>以标量导出。</translation>
    </message>
    <message>
        <source>Export the function without that.</source>
        <translation>导出时函数中不要使用它。</translation>
    </message>
    <message>
        <source>Export the model again: what the file holds of it does not fit its type and shape.</source>
        <translation>请重新导出模型：文件中该张量的内容与其类型和形状不符。</translation>
    </message>
    <message>
        <source>Export the model in eval mode, or put the node into inference form.</source>
        <translation>请以 eval 模式导出模型，或将该节点改为推理形式。</translation>
    </message>
    <message>
        <source>Export the model in eval mode, or set it to inference.</source>
        <translation>请以 eval 模式导出模型，或将其设为推理模式。</translation>
    </message>
    <message>
        <source>Export the model with opset {since} or later.</source>
        <translation>请以 opset {since} 或更高版本导出模型。</translation>
    </message>
    <message>
        <source>Export with IR 4 or later.</source>
        <translation>以 IR 4 或更高版本导出。</translation>
    </message>
    <message>
        <source>Export with a value of that rank.</source>
        <translation>以该秩的值导出。</translation>
    </message>
    <message>
        <source>Export with axis {wanted}.</source>
        <translation>以轴 {wanted} 导出。</translation>
    </message>
    <message>
        <source>Export with fewer functions that call functions.</source>
        <translation>导出时减少相互调用的函数。</translation>
    </message>
    <message>
        <source>Export with log_softmax, which is the more exact.</source>
        <translation>导出时使用 log_softmax，它更精确。</translation>
    </message>
    <message>
        <source>Export with one scale for both.</source>
        <translation>导出时让两者使用同一比例。</translation>
    </message>
    <message>
        <source>Export with running statistics (track_running_stats=True).</source>
        <translation>使用运行统计量导出（track_running_stats=True）。</translation>
    </message>
    <message>
        <source>Export with sizes above zero.</source>
        <translation>以大于零的大小导出。</translation>
    </message>
    <message>
        <source>Export with the weights in the file (export_params=True).</source>
        <translation>导出时将权重存入文件（export_params=True）。</translation>
    </message>
    <message>
        <source>Export with {attribute}={wanted}.</source>
        <translation>以 {attribute}={wanted} 导出。</translation>
    </message>
    <message>
        <source>Export without the addition.</source>
        <translation>导出时去掉该加法。</translation>
    </message>
    <message>
        <source>Export without the {op} there, or give the free dimensions a size.</source>
        <translation>导出时去掉该处的 {op}，或给自由维度一个大小。</translation>
    </message>
    <message>
        <source>Export without the {op} there, or move it behind `{last}`.</source>
        <translation>导出时去掉该处的 {op}，或将其移到 `{last}` 之后。</translation>
    </message>
    <message>
        <source>External data is missing</source>
        <translation>缺少外部数据</translation>
    </message>
    <message>
        <source>Feeds another operand</source>
        <translation>送入别的操作数</translation>
    </message>
    <message>
        <source>Feeds another operand than the data</source>
        <translation>送入的不是数据操作数</translation>
    </message>
    <message>
        <source>Fix one of the sizes.</source>
        <translation>把其中一个尺寸固定下来。</translation>
    </message>
    <message>
        <source>Fix that size, or export with −1.</source>
        <translation>固定该尺寸，或在导出时写 −1。</translation>
    </message>
    <message>
        <source>Fold BatchNormalization before quantizing, or allow folding quantization.</source>
        <translation>在量化之前折叠 BatchNormalization，或允许折叠量化。</translation>
    </message>
    <message>
        <source>Folding gives Inf or NaN</source>
        <translation>折叠会得到 Inf 或 NaN</translation>
    </message>
    <message>
        <source>Folding gives Inf or NaN in {bad} of {channels} channels, first in {first}.</source>
        <translation>折叠会在 {channels} 个通道中的 {bad} 个得到 Inf 或 NaN，首先在通道 {first}。</translation>
    </message>
    <message>
        <source>Folding leaves the range of the type</source>
        <translation>折叠超出了类型的范围</translation>
    </message>
    <message>
        <source>Folding needs much memory</source>
        <translation>折叠需要大量内存</translation>
    </message>
    <message>
        <source>Folding would hold {bytes} of numbers, some for each channel; the limit leaves {limit}.</source>
        <translation>折叠须为每个通道保存若干数，共 {bytes}；上限只剩 {limit}。</translation>
    </message>
    <message>
        <source>Folding would need too much memory</source>
        <translation>折叠需要的内存过多</translation>
    </message>
    <message>
        <source>For {type} no kernel of `{node}` reads the parts of `{concat}` where they lie, so nothing would be saved.</source>
        <translation>对于 {type}，`{node}` 没有能就地读取 `{concat}` 各部分的内核，因此不会有任何节省。</translation>
    </message>
    <message>
        <source>Freeze the initializer.</source>
        <translation>请冻结该初始化器。</translation>
    </message>
    <message>
        <source>Freeze the initializers.</source>
        <translation>请冻结这些初始化器。</translation>
    </message>
    <message>
        <source>From an outer graph</source>
        <translation>来自外层图</translation>
    </message>
    <message>
        <source>Function has another opset</source>
        <translation>函数的 opset 不同</translation>
    </message>
    <message>
        <source>Fusing would create a cycle</source>
        <translation>融合会形成环</translation>
    </message>
    <message>
        <source>Give `{constant}` at most the shape of the result.</source>
        <translation>`{constant}` 的形状最多与结果相同。</translation>
    </message>
    <message>
        <source>Give each reading a producer of its own.</source>
        <translation>为每次读取各建一个生产者。</translation>
    </message>
    <message>
        <source>Give it constant parameters, one for all or one a channel.</source>
        <translation>给它常量参数，全体一个或每通道一个。</translation>
    </message>
    <message>
        <source>Give that reader a producer of its own, or drop that reader.</source>
        <translation>为该读取者另建生产者，或去掉该读取者。</translation>
    </message>
    <message>
        <source>Give those readers a producer of their own, or drop them.</source>
        <translation>为这些读取者另建生产者，或去掉它们。</translation>
    </message>
    <message>
        <source>Give {obstacle} the same layout as the nodes around it.</source>
        <translation>让 {obstacle} 使用与周围节点相同的数据排列。</translation>
    </message>
    <message>
        <source>Give {size} a value.</source>
        <translation>给 {size} 一个值。</translation>
    </message>
    <message>
        <source>Gives Inf or NaN</source>
        <translation>得到 Inf 或 NaN</translation>
    </message>
    <message>
        <source>IR 3 lists initializers as inputs</source>
        <translation>IR 3 将初始化器列为输入</translation>
    </message>
    <message>
        <source>IR 3 lists initializers as inputs; `{value}` is treated as a constant.</source>
        <translation>IR 3 将初始化器列为输入；`{value}` 视为常量。</translation>
    </message>
    <message>
        <source>In different graphs</source>
        <translation>在不同的图中</translation>
    </message>
    <message>
        <source>In training mode</source>
        <translation>处于训练模式</translation>
    </message>
    <message>
        <source>Initializer is also a model input</source>
        <translation>初始化器同时是模型输入</translation>
    </message>
    <message>
        <source>Initializer listed as input</source>
        <translation>初始化器列为输入</translation>
    </message>
    <message>
        <source>Inline the function first.</source>
        <translation>请先内联该函数。</translation>
    </message>
    <message>
        <source>Is a model input</source>
        <translation>是模型输入</translation>
    </message>
    <message>
        <source>It cannot be computed</source>
        <translation>无法计算</translation>
    </message>
    <message>
        <source>It may have side effects</source>
        <translation>可能有副作用</translation>
    </message>
    <message>
        <source>Keep both in one element type.</source>
        <translation>两者保持同一元素类型。</translation>
    </message>
    <message>
        <source>Leaves the type's range</source>
        <translation>超出类型范围</translation>
    </message>
    <message>
        <source>Let the function be inlined.</source>
        <translation>让该函数被内联。</translation>
    </message>
    <message>
        <source>Lower bound above upper</source>
        <translation>下界大于上界</translation>
    </message>
    <message>
        <source>Lower bound is above the upper one</source>
        <translation>下界大于上界</translation>
    </message>
    <message>
        <source>Lower the growth limit to keep one copy.</source>
        <translation>降低增长上限可只留一份。</translation>
    </message>
    <message>
        <source>Make it a constant, or let constant folding reach it.</source>
        <translation>将其变为常量，或让常量折叠能到达它。</translation>
    </message>
    <message>
        <source>Mark the operator as pure.</source>
        <translation>可将该算子标记为无副作用。</translation>
    </message>
    <message>
        <source>MaxPool ignores the pad</source>
        <translation>MaxPool 忽略补边</translation>
    </message>
    <message>
        <source>MaxPool ignores what it pads</source>
        <translation>MaxPool 忽略补上的格子</translation>
    </message>
    <message>
        <source>May have side effects</source>
        <translation>可能有副作用</translation>
    </message>
    <message>
        <source>May round to 0</source>
        <translation>可能舍入为 0</translation>
    </message>
    <message>
        <source>Means over other axes</source>
        <translation>均值沿别的轴</translation>
    </message>
    <message>
        <source>Mend the bounds.</source>
        <translation>修正边界。</translation>
    </message>
    <message>
        <source>Mend the model: it fails at this node as it is.</source>
        <translation>请修正模型：它在该节点处本来就会失败。</translation>
    </message>
    <message>
        <source>Mend the shape in the model.</source>
        <translation>修正模型中的形状。</translation>
    </message>
    <message>
        <source>Mend the variance in the model's weights.</source>
        <translation>修正模型权重中的方差。</translation>
    </message>
    <message>
        <source>Model would grow beyond the limit</source>
        <translation>模型会超过增长上限</translation>
    </message>
    <message>
        <source>More than one size is open</source>
        <translation>不止一个尺寸未定</translation>
    </message>
    <message>
        <source>Move both into the same graph.</source>
        <translation>将两者移入同一个图。</translation>
    </message>
    <message>
        <source>No Transpose fewer</source>
        <translation>Transpose 不会减少</translation>
    </message>
    <message>
        <source>No convolution before it</source>
        <translation>前面没有卷积</translation>
    </message>
    <message>
        <source>No convolution stands before it</source>
        <translation>前面没有卷积</translation>
    </message>
    <message>
        <source>No node before it</source>
        <translation>前面没有节点</translation>
    </message>
    <message>
        <source>No node stands before it</source>
        <translation>前面没有节点</translation>
    </message>
    <message>
        <source>Node is not valid</source>
        <translation>节点无效</translation>
    </message>
    <message>
        <source>Normalize over the last axes.</source>
        <translation>沿最后的轴归一化。</translation>
    </message>
    <message>
        <source>Not a constant pad</source>
        <translation>不是常量填充</translation>
    </message>
    <message>
        <source>Not one number</source>
        <translation>不是一个数</translation>
    </message>
    <message>
        <source>Not per channel</source>
        <translation>不按通道作用</translation>
    </message>
    <message>
        <source>Nothing can be computed before the model runs.</source>
        <translation>在模型运行之前无法计算。</translation>
    </message>
    <message>
        <source>Nothing has to be done.</source>
        <translation>无需任何处理。</translation>
    </message>
    <message>
        <source>Nothing in the model: the program does not do this rewrite here; all others go on.</source>
        <translation>模型本身无需改动：程序在此处不做这次改写，其余照常进行。</translation>
    </message>
    <message>
        <source>Nothing: it is shorter as it stands.</source>
        <translation>无需处理：现在的写法更短。</translation>
    </message>
    <message>
        <source>Nothing: one node has to carry the second name.</source>
        <translation>无需处理：必须有一个节点承载第二个名称。</translation>
    </message>
    <message>
        <source>Nothing: two equal nodes cost little.</source>
        <translation>无需处理：两个相同的节点代价很小。</translation>
    </message>
    <message>
        <source>Once the {op} is folded or gone, the two can meet.</source>
        <translation>一旦 {op} 被折叠或消失，二者即可相遇。</translation>
    </message>
    <message>
        <source>One activation fits; merge the two where they can be merged.</source>
        <translation>只能容纳一个激活；可合并时请合并两者。</translation>
    </message>
    <message>
        <source>One node reads both</source>
        <translation>同一节点读取两者</translation>
    </message>
    <message>
        <source>One node reads the result twice</source>
        <translation>一个节点两次读取该结果</translation>
    </message>
    <message>
        <source>One node reads twice</source>
        <translation>一个节点读取两次</translation>
    </message>
    <message>
        <source>Only a network with `{last}` before the {op} can be fused.</source>
        <translation>只有 `{last}` 在 {op} 之前的网络才能融合。</translation>
    </message>
    <message>
        <source>Only a network with a convolution there can be fused.</source>
        <translation>只有该处有卷积的网络才能融合。</translation>
    </message>
    <message>
        <source>Only a shortcut from an earlier value can be fused.</source>
        <translation>只有来自更早的值的捷径才能融合。</translation>
    </message>
    <message>
        <source>Only mode=constant can be merged.</source>
        <translation>只有 mode=constant 才能合并。</translation>
    </message>
    <message>
        <source>Only shares the name</source>
        <translation>只是同名</translation>
    </message>
    <message>
        <source>Only the data input can be fused.</source>
        <translation>只有数据输入才能融合。</translation>
    </message>
    <message>
        <source>Only with {wanted} is the formula the same.</source>
        <translation>只有 {wanted} 时公式才相同。</translation>
    </message>
    <message>
        <source>Operand comes from the function's call</source>
        <translation>操作数来自函数的调用</translation>
    </message>
    <message>
        <source>Operand is a model input</source>
        <translation>操作数是模型输入</translation>
    </message>
    <message>
        <source>Operand is computed at run time</source>
        <translation>操作数在运行时计算</translation>
    </message>
    <message>
        <source>Operands in other order</source>
        <translation>操作数顺序不同</translation>
    </message>
    <message>
        <source>Operands stand in another order</source>
        <translation>操作数的顺序不同</translation>
    </message>
    <message>
        <source>Opset is older than the operator</source>
        <translation>opset 早于该算子</translation>
    </message>
    <message>
        <source>Opset is too old</source>
        <translation>opset 太旧</translation>
    </message>
    <message>
        <source>Output {index} of `{node}`, `{value}`, is used.</source>
        <translation>用到了 `{node}` 的输出 {index} `{value}`。</translation>
    </message>
    <message>
        <source>Outputs of training only</source>
        <translation>仅训练才有的输出</translation>
    </message>
    <message>
        <source>Outputs that only training has</source>
        <translation>只有训练才有的输出</translation>
    </message>
    <message>
        <source>Pad before the BatchNormalization, or remove the padding.</source>
        <translation>请在 BatchNormalization 之前补零，或去掉补零。</translation>
    </message>
    <message>
        <source>Pad by less than the kernel's size.</source>
        <translation>补边要小于卷积核的大小。</translation>
    </message>
    <message>
        <source>Pad crops</source>
        <translation>Pad 在裁剪</translation>
    </message>
    <message>
        <source>Pad does not pad with a constant</source>
        <translation>Pad 不是以常量填充</translation>
    </message>
    <message>
        <source>Pad is not zero</source>
        <translation>填充值不为零</translation>
    </message>
    <message>
        <source>Pad the spatial axes only.</source>
        <translation>只补空间轴。</translation>
    </message>
    <message>
        <source>Pad value is not zero</source>
        <translation>填充值不为零</translation>
    </message>
    <message>
        <source>Pad widens the batch or the channels</source>
        <translation>Pad 加宽了批次或通道</translation>
    </message>
    <message>
        <source>Pad with 0.</source>
        <translation>以 0 填充。</translation>
    </message>
    <message>
        <source>Pad with −∞ or the lowest integer, or after a Relu with 0.</source>
        <translation>用 −∞ 或最小的整数填充；在 Relu 之后可用 0。</translation>
    </message>
    <message>
        <source>Padding is as wide as the kernel</source>
        <translation>补边与卷积核一样宽</translation>
    </message>
    <message>
        <source>Padding is too wide</source>
        <translation>补边太宽</translation>
    </message>
    <message>
        <source>Padding sees the shift</source>
        <translation>补零会遇到偏移</translation>
    </message>
    <message>
        <source>Padding would see the shift</source>
        <translation>补零会遇到偏移</translation>
    </message>
    <message>
        <source>Pads batch or channels</source>
        <translation>加宽批次或通道</translation>
    </message>
    <message>
        <source>Parameter's shape is wrong</source>
        <translation>参数形状不对</translation>
    </message>
    <message>
        <source>Pass the value as an output, or keep the node.</source>
        <translation>请改为输出传递，或保留该节点。</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Put the data file beside the model.</source>
        <translation>请将数据文件放在模型旁。</translation>
    </message>
    <message>
        <source>Quantization is kept visible</source>
        <translation>量化保持可见</translation>
    </message>
    <message>
        <source>Quantization stands in between</source>
        <translation>中间有量化</translation>
    </message>
    <message>
        <source>Quantized anew</source>
        <translation>重新量化</translation>
    </message>
    <message>
        <source>Raise the limit.</source>
        <translation>提高上限。</translation>
    </message>
    <message>
        <source>Rank does not fit</source>
        <translation>秩不合适</translation>
    </message>
    <message>
        <source>Read by inner graph</source>
        <translation>内层图仍在读取</translation>
    </message>
    <message>
        <source>Read elsewhere too</source>
        <translation>别处也读取</translation>
    </message>
    <message>
        <source>Read every part once, in order.</source>
        <translation>每一部分按顺序各读一次。</translation>
    </message>
    <message>
        <source>Replace it by a constant.</source>
        <translation>用常量取代它。</translation>
    </message>
    <message>
        <source>Reshape it to {wanted} if that is meant.</source>
        <translation>若确是此意，请改形状为 {wanted}。</translation>
    </message>
    <message>
        <source>Result differs from run to run</source>
        <translation>每次运行的结果不同</translation>
    </message>
    <message>
        <source>Result is an output</source>
        <translation>结果是输出</translation>
    </message>
    <message>
        <source>Result is no tensor</source>
        <translation>结果不是张量</translation>
    </message>
    <message>
        <source>Result is read elsewhere too</source>
        <translation>结果还在别处被读取</translation>
    </message>
    <message>
        <source>Result is read inside an inner graph</source>
        <translation>结果在内部图中被读取</translation>
    </message>
    <message>
        <source>Return another value from there, or keep the node.</source>
        <translation>从那里返回另一个值，或保留该节点。</translation>
    </message>
    <message>
        <source>Second output is used</source>
        <translation>用到第二个输出</translation>
    </message>
    <message>
        <source>See what the message names; the node stays as it is.</source>
        <translation>请看消息所指之处；节点保持不变。</translation>
    </message>
    <message>
        <source>Several sizes are open</source>
        <translation>多个尺寸未定</translation>
    </message>
    <message>
        <source>Shape is not known</source>
        <translation>形状未知</translation>
    </message>
    <message>
        <source>Shape operator between</source>
        <translation>中间有形状算子</translation>
    </message>
    <message>
        <source>Shapes are not shown to be equal</source>
        <translation>无法证明形状相等</translation>
    </message>
    <message>
        <source>Shapes differ</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>Shapes not shown equal</source>
        <translation>无法证明形状相等</translation>
    </message>
    <message>
        <source>Size depends on data</source>
        <translation>尺寸取决于数据</translation>
    </message>
    <message>
        <source>Size may be 0</source>
        <translation>尺寸可能为 0</translation>
    </message>
    <message>
        <source>Skip the step that fused those two.</source>
        <translation>跳过融合这两者的那一步。</translation>
    </message>
    <message>
        <source>Softmax may round to 0</source>
        <translation>Softmax 可能舍入为 0</translation>
    </message>
    <message>
        <source>Statistics are computed at run time</source>
        <translation>统计量在运行时计算</translation>
    </message>
    <message>
        <source>Store it in the file as an initializer.</source>
        <translation>将它作为初始化器存入文件。</translation>
    </message>
    <message>
        <source>Swap the operands if that is meant.</source>
        <translation>若确是此意，请交换操作数。</translation>
    </message>
    <message>
        <source>Take the Gradient out of the model.</source>
        <translation>从模型中去掉该 Gradient。</translation>
    </message>
    <message>
        <source>Take the attribute out of the model.</source>
        <translation>从模型中去掉该属性。</translation>
    </message>
    <message>
        <source>Take {op} out of the model.</source>
        <translation>从模型中去掉 {op}。</translation>
    </message>
    <message>
        <source>Target fuses it itself</source>
        <translation>目标自己会融合</translation>
    </message>
    <message>
        <source>Tensor contents are damaged</source>
        <translation>张量内容已损坏</translation>
    </message>
    <message>
        <source>The Cast in between changes values</source>
        <translation>中间的 Cast 会改变数值</translation>
    </message>
    <message>
        <source>The call is too large</source>
        <translation>该调用太大</translation>
    </message>
    <message>
        <source>The external data of `{value}` was not found or is too short.</source>
        <translation>找不到 `{value}` 的外部数据，或数据过短。</translation>
    </message>
    <message>
        <source>The function calls itself</source>
        <translation>该函数调用自身</translation>
    </message>
    <message>
        <source>The function has another opset</source>
        <translation>该函数的 opset 不同</translation>
    </message>
    <message>
        <source>The function {op} calls itself, which ONNX does not allow.</source>
        <translation>函数 {op} 调用自身，ONNX 不允许这样做。</translation>
    </message>
    <message>
        <source>The mask is used</source>
        <translation>用到了掩码</translation>
    </message>
    <message>
        <source>The mean and variance of `{node}` are computed at run time from `{from}`.</source>
        <translation>`{node}` 的均值与方差在运行时由 `{from}` 计算。</translation>
    </message>
    <message>
        <source>The means are over other axes</source>
        <translation>均值沿别的轴</translation>
    </message>
    <message>
        <source>The model would grow by {bytes}; the limit leaves {limit}.</source>
        <translation>模型将增大 {bytes}；限额还剩 {limit}。</translation>
    </message>
    <message>
        <source>The name is public</source>
        <translation>该名称是公开的</translation>
    </message>
    <message>
        <source>The node is not valid</source>
        <translation>该节点无效</translation>
    </message>
    <message>
        <source>The nodes stand in different graphs</source>
        <translation>节点在不同的图中</translation>
    </message>
    <message>
        <source>The parts do not cover the axis</source>
        <translation>各部分没有覆盖该轴</translation>
    </message>
    <message>
        <source>The parts of `{value}` do not cover axis {axis} exactly once, in order.</source>
        <translation>`{value}` 的各部分没有按顺序恰好覆盖轴 {axis} 一次。</translation>
    </message>
    <message>
        <source>The result is no tensor</source>
        <translation>结果不是张量</translation>
    </message>
    <message>
        <source>The rewrite would not be valid</source>
        <translation>改写结果将无效</translation>
    </message>
    <message>
        <source>The shape of `{value}` is not known: {shape}.</source>
        <translation>`{value}` 的形状未知：{shape}。</translation>
    </message>
    <message>
        <source>The shortcut is reshaped</source>
        <translation>捷径改变了形状</translation>
    </message>
    <message>
        <source>The shortcut passes `{node}`, {op}, to {shape}, but `{conv}` gives {wanted}.</source>
        <translation>捷径分支经过 `{node}`（{op}）变为 {shape}，而 `{conv}` 输出 {wanted}。</translation>
    </message>
    <message>
        <source>The target fuses this itself</source>
        <translation>目标自己会做此融合</translation>
    </message>
    <message>
        <source>Times `{value}`, numbers of the model are too small or too large for {type}: they would lose digits, or become 0 or Inf.</source>
        <translation>乘以 `{value}` 后，模型中的数对 {type} 来说过小或过大：会丢失有效位，或变成 0 或 Inf。</translation>
    </message>
    <message>
        <source>Type does not fit</source>
        <translation>类型不合适</translation>
    </message>
    <message>
        <source>Unknown operator version</source>
        <translation>算子版本未知</translation>
    </message>
    <message>
        <source>Unknown version of an operator</source>
        <translation>算子版本未知</translation>
    </message>
    <message>
        <source>Unpin it.</source>
        <translation>取消固定。</translation>
    </message>
    <message>
        <source>Use the standard {op} where it means the same.</source>
        <translation>在含义相同之处使用标准的 {op}。</translation>
    </message>
    <message>
        <source>Variance + epsilon is not positive</source>
        <translation>方差 + epsilon 不为正</translation>
    </message>
    <message>
        <source>Variance is not positive</source>
        <translation>方差不为正</translation>
    </message>
    <message>
        <source>Weight is shared</source>
        <translation>权重被共享</translation>
    </message>
    <message>
        <source>Weight is shared; a copy is made</source>
        <translation>权重被共享；会建立副本</translation>
    </message>
    <message>
        <source>Where an element of `{value}` lies far below the largest, `{node}` gives 0 and `{last}` −∞; LogSoftmax would give a number.</source>
        <translation>当 `{value}` 的某个元素远小于最大者时，`{node}` 得到 0，`{last}` 得到 −∞；LogSoftmax 则会得到一个数。</translation>
    </message>
    <message>
        <source>Whether `{node}` is in training mode is known only when the model runs.</source>
        <translation>`{node}` 是否处于训练模式，运行时才知道。</translation>
    </message>
    <message>
        <source>With `{constant}` the formula has the factor {found}, but {wanted} is expected.</source>
        <translation>使用 `{constant}` 时公式的系数为 {found}，但应为 {wanted}。</translation>
    </message>
    <message>
        <source>Working on the data in front of {node} would take {gone} Transpose away and need {added} new ones, one of them for {obstacle}.</source>
        <translation>直接处理 {node} 之前的数据会去掉 {gone} 个 Transpose，但需要 {added} 个新的，其中一个用于 {obstacle}。</translation>
    </message>
    <message>
        <source>Working on the data in front of {node} would take {gone} Transposes away and need {added} new ones, one of them for {obstacle}.</source>
        <translation>直接处理 {node} 之前的数据会去掉 {gone} 个 Transpose，但需要 {added} 个新的，其中一个用于 {obstacle}。</translation>
    </message>
    <message>
        <source>Works along another axis</source>
        <translation>沿另一个轴工作</translation>
    </message>
    <message>
        <source>Would add nodes</source>
        <translation>会增加节点</translation>
    </message>
    <message>
        <source>Would create a cycle</source>
        <translation>会形成环</translation>
    </message>
    <message>
        <source>Would grow too much</source>
        <translation>会增长过多</translation>
    </message>
    <message>
        <source>Would not be faster</source>
        <translation>不会更快</translation>
    </message>
    <message>
        <source>Would not be valid</source>
        <translation>改写后无效</translation>
    </message>
    <message>
        <source>Write the size instead of the 0.</source>
        <translation>用大小代替 0。</translation>
    </message>
    <message>
        <source>You pinned `{node}`, so it stays.</source>
        <translation>你固定了 `{node}`，因此它保持不变。</translation>
    </message>
    <message>
        <source>`{a}` and `{b}` stand in different graphs of the model.</source>
        <translation>`{a}` 与 `{b}` 在模型的不同图中。</translation>
    </message>
    <message>
        <source>`{a}` is {shapeA} and `{b}` is {shapeB}; nothing shows that they are equal.</source>
        <translation>`{a}` 是 {shapeA}，`{b}` 是 {shapeB}；没有什么表明二者相等。</translation>
    </message>
    <message>
        <source>`{a}` is {shapeA}, but `{b}` is {shapeB}.</source>
        <translation>`{a}` 是 {shapeA}，而 `{b}` 是 {shapeB}。</translation>
    </message>
    <message>
        <source>`{a}` is {typeA}, but `{b}` is {typeB}.</source>
        <translation>`{a}` 是 {typeA}，而 `{b}` 是 {typeB}。</translation>
    </message>
    <message>
        <source>`{body}` of `{owner}` reads `{value}` by name.</source>
        <translation>`{owner}` 的 `{body}` 按名称读取 `{value}`。</translation>
    </message>
    <message>
        <source>`{constant}` has shape {shape}, where one number is expected.</source>
        <translation>`{constant}` 的形状为 {shape}，而此处需要一个数。</translation>
    </message>
    <message>
        <source>`{constant}` has shape {shape}, which acts along axis {axis}, not along the channels alone.</source>
        <translation>`{constant}` 的形状为 {shape}，沿轴 {axis} 作用，而不是仅沿通道。</translation>
    </message>
    <message>
        <source>`{constant}` has shape {shape}, which makes the result larger than {data}.</source>
        <translation>`{constant}` 的形状为 {shape}，会使结果大于 {data}。</translation>
    </message>
    <message>
        <source>`{constant}` is {found}, but {wanted} is expected.</source>
        <translation>`{constant}` 是 {found}，但应为 {wanted}。</translation>
    </message>
    <message>
        <source>`{conv}` pads with zeros after `{bn}`, whose shift is not zero, so border pixels would change.</source>
        <translation>`{conv}` 在 `{bn}` 之后补零，而 `{bn}` 的偏移不为零，边缘像素会改变。</translation>
    </message>
    <message>
        <source>`{last}` quantizes with another scale or zero point than `{first}`, or with a scale at the end of its type's range: numbers would change.</source>
        <translation>`{last}` 量化时的比例或零点与 `{first}` 不同，或者比例处于其类型范围的边缘：数值会改变。</translation>
    </message>
    <message>
        <source>`{last}` writes numbers as text, and what `{node}` gives as {type} is not written as {source} is.</source>
        <translation>`{last}` 把数写成文本，而 `{node}` 给出的 {type} 与 {source} 的写法不同。</translation>
    </message>
    <message>
        <source>`{node}` adds `{value}`, +0, which turns −0 into +0: it changes that one value.</source>
        <translation>`{node}` 加上 `{value}`，即 +0，会把 −0 变为 +0：只改变这一个值。</translation>
    </message>
    <message>
        <source>`{node}` already ends in `{activation}`, {op}.</source>
        <translation>`{node}` 末尾已有 `{activation}`（{op}）。</translation>
    </message>
    <message>
        <source>`{node}` asks for {first} and {second}, neither a number nor a size of `{value}` at its place; a constant leaves only one open.</source>
        <translation>`{node}` 需要 {first} 和 {second}，它们既不是数字，也不是 `{value}` 在同一位置的尺寸；常量只能留一个未定的尺寸。</translation>
    </message>
    <message>
        <source>`{node}` belongs to what a Gradient differentiates: it names values and takes the nodes between them as they stand.</source>
        <translation>`{node}` 属于某个 Gradient 求导的部分：它按名称指定值，并原样使用其间的节点。</translation>
    </message>
    <message>
        <source>`{node}` casts to {type}, which does not hold every source value.</source>
        <translation>`{node}` 转换到 {type}，而该类型容纳不了源的全部数值。</translation>
    </message>
    <message>
        <source>`{node}` computes {found}, where {wanted} is expected.</source>
        <translation>`{node}` 计算 {found}，而此处应为 {wanted}。</translation>
    </message>
    <message>
        <source>`{node}` copies dimension {axis} of the value in between, where the source has another size.</source>
        <translation>`{node}` 复制中间值的第 {axis} 维，而源在该处的大小不同。</translation>
    </message>
    <message>
        <source>`{node}` equals `{other}`, but `{reader}` reads both; one value read twice stands in the way of later fusions.</source>
        <translation>`{node}` 与 `{other}` 相同，但 `{reader}` 同时读取两者；同一个值被读取两次会妨碍之后的融合。</translation>
    </message>
    <message>
        <source>`{node}` has NaN as a bound.</source>
        <translation>`{node}` 以 NaN 为边界。</translation>
    </message>
    <message>
        <source>`{node}` has parameters that are not the same at every place.</source>
        <translation>`{node}` 的参数并非处处相同。</translation>
    </message>
    <message>
        <source>`{node}` has the attribute {attribute}, which {op} does not have.</source>
        <translation>`{node}` 有属性 {attribute}，而 {op} 没有该属性。</translation>
    </message>
    <message>
        <source>`{node}` has the lower bound {low} above the upper bound {high}.</source>
        <translation>`{node}` 的下界 {low} 大于上界 {high}。</translation>
    </message>
    <message>
        <source>`{node}` has training_mode=0 and yet an output more, which only training gives.</source>
        <translation>`{node}` 的 training_mode=0，却多出一个只有训练才给出的输出。</translation>
    </message>
    <message>
        <source>`{node}` has training_mode=0 and yet {count} outputs more, which only training gives.</source>
        <translation>`{node}` 的 training_mode=0，却多出 {count} 个只有训练才给出的输出。</translation>
    </message>
    <message>
        <source>`{node}` has {attribute}={value}; this fusion needs {wanted}.</source>
        <translation>`{node}` 有 {attribute}={value}；此融合需要 {wanted}。</translation>
    </message>
    <message>
        <source>`{node}` has {form}, so its mean and variance come from each batch.</source>
        <translation>`{node}` 的 {form}，均值与方差取自每个批次。</translation>
    </message>
    <message>
        <source>`{node}` is already fused with `{with}`, so its weights stay as they are.</source>
        <translation>`{node}` 已与 `{with}` 融合，因此其权重保持不变。</translation>
    </message>
    <message>
        <source>`{node}` is in training mode: it drops elements at random.</source>
        <translation>`{node}` 处于训练模式：它随机丢弃元素。</translation>
    </message>
    <message>
        <source>`{node}` is kept so that the quantized pattern stays visible.</source>
        <translation>保留 `{node}`，使量化形式保持可见。</translation>
    </message>
    <message>
        <source>`{node}` is over axes {found}, but {wanted} is needed.</source>
        <translation>`{node}` 沿轴 {found}，但需要 {wanted}。</translation>
    </message>
    <message>
        <source>`{node}` is {domain}.{op}, a custom operator that only shares the name {op}.</source>
        <translation>`{node}` 是 {domain}.{op}，只是与 {op} 同名的自定义算子。</translation>
    </message>
    <message>
        <source>`{node}` is {op} version {version}; this fusion knows {known}.</source>
        <translation>`{node}` 是 {op} 版本 {version}；此融合只知道 {known}。</translation>
    </message>
    <message>
        <source>`{node}` is {op}, which ONNX does not have at this opset.</source>
        <translation>`{node}` 是 {op}，而 ONNX 在此 opset 中没有它。</translation>
    </message>
    <message>
        <source>`{node}` is {op}, which may give another value at each run.</source>
        <translation>`{node}` 是 {op}，每次运行可能给出不同的值。</translation>
    </message>
    <message>
        <source>`{node}` makes {made} channels, but `{parameter}` has {found}.</source>
        <translation>`{node}` 生成 {made} 个通道，而 `{parameter}` 有 {found} 个。</translation>
    </message>
    <message>
        <source>`{node}` puts axis {found} last; a product can turn axis {wanted} alone.</source>
        <translation>`{node}` 把轴 {found} 放到最后；乘积只能转置轴 {wanted}。</translation>
    </message>
    <message>
        <source>`{node}` quantizes between `{first}` and `{last}`; fusing across it would change the rounding.</source>
        <translation>`{node}` 在 `{first}` 与 `{last}` 之间做量化；跨过它融合会改变舍入。</translation>
    </message>
    <message>
        <source>`{node}` reads `{value}`, which enters the `{body}` of `{owner}` from outside.</source>
        <translation>`{node}` 读取 `{value}`，它从外部进入 `{owner}` 的 `{body}`。</translation>
    </message>
    <message>
        <source>`{node}` stands between `{first}` and `{last}` and changes the element type.</source>
        <translation>`{node}` 位于 `{first}` 与 `{last}` 之间，并改变元素类型。</translation>
    </message>
    <message>
        <source>`{node}` stands in the function `{function}`, and what it reads comes from the caller.</source>
        <translation>`{node}` 在函数 `{function}` 中，它读取的内容来自调用者。</translation>
    </message>
    <message>
        <source>`{node}` takes {attribute} from the call of its function: in the function's body it has no value.</source>
        <translation>`{node}` 的 {attribute} 取自其函数的调用：在函数体中它没有值。</translation>
    </message>
    <message>
        <source>`{node}` works along axis {found}; this fusion needs axis {wanted}.</source>
        <translation>`{node}` 沿轴 {found} 工作；此融合需要轴 {wanted}。</translation>
    </message>
    <message>
        <source>`{node}` would have to infer {open} from the others, which fails where {size} is 0.</source>
        <translation>`{node}` 须由其他尺寸推出 {open}，而当 {size} 为 0 时无法推出。</translation>
    </message>
    <message>
        <source>`{node}` would open to {found} nodes; with as many calls as the model has, up to {limit} are opened.</source>
        <translation>`{node}` 展开后有 {found} 个节点；以该模型的调用数，最多展开到 {limit} 个。</translation>
    </message>
    <message>
        <source>`{node}` would pad by {pad} with a kernel of {kernel}; a window would see nothing but padding.</source>
        <translation>`{node}` 会补边 {pad}，而卷积核为 {kernel}；有的窗口只会看到补边。</translation>
    </message>
    <message>
        <source>`{node}`, {op}, has opset {inside} in the function and would have {outside} at the call, where it means something else.</source>
        <translation>`{node}`（{op}）在函数中是 opset {inside}，在调用处会是 {outside}，含义不同。</translation>
    </message>
    <message>
        <source>`{node}`, {op}, stands between `{first}` and `{last}` and is not linear.</source>
        <translation>`{node}`（{op}）位于 `{first}` 与 `{last}` 之间，且不是线性的。</translation>
    </message>
    <message>
        <source>`{node}`, {op}, stands between `{first}` and `{last}` and may have side effects.</source>
        <translation>`{node}`（{op}）位于 `{first}` 与 `{last}` 之间，且可能有副作用。</translation>
    </message>
    <message>
        <source>`{node}`, {op}, stands between `{first}` and `{last}`.</source>
        <translation>`{node}`（{op}）位于 `{first}` 与 `{last}` 之间。</translation>
    </message>
    <message>
        <source>`{operator}` may have side effects, so it stays although nobody reads it.</source>
        <translation>`{operator}` 可能有副作用，虽无人使用仍予保留。</translation>
    </message>
    <message>
        <source>`{pad}` has a negative amount on axis {axis}, which deletes data.</source>
        <translation>`{pad}` 在轴 {axis} 上的量为负，会删除数据。</translation>
    </message>
    <message>
        <source>`{pad}` pads axis {axis} by {amount}, which is not a spatial axis.</source>
        <translation>`{pad}` 在轴 {axis} 上补 {amount}，而它不是空间轴。</translation>
    </message>
    <message>
        <source>`{pad}` pads by {mode}, but `{reader}` pads with a constant.</source>
        <translation>`{pad}` 以 {mode} 方式填充，而 `{reader}` 以常量填充。</translation>
    </message>
    <message>
        <source>`{pad}` pads with {value}, but `{reader}` pads with 0.</source>
        <translation>`{pad}` 以 {value} 填充，而 `{reader}` 以 0 填充。</translation>
    </message>
    <message>
        <source>`{parameter}` has shape {shape}; [{channels}] is expected.</source>
        <translation>`{parameter}` 的形状为 {shape}；应为 [{channels}]。</translation>
    </message>
    <message>
        <source>`{pool}` ignores padded cells, `{pad}` adds real ones; negative data would give another result.</source>
        <translation>`{pool}` 忽略补上的格子，`{pad}` 则加入真实的格子；数据为负时结果会不同。</translation>
    </message>
    <message>
        <source>`{producer}` feeds input {index} of `{reader}`, not its data input.</source>
        <translation>`{producer}` 送入 `{reader}` 的输入 {index}，而不是其数据输入。</translation>
    </message>
    <message>
        <source>`{reader}` reads `{value}` {times} times; fusing would take one away.</source>
        <translation>`{reader}` 读取 `{value}` {times} 次；融合会去掉一次。</translation>
    </message>
    <message>
        <source>`{root}` reads `{node}`, {op}, not a convolution.</source>
        <translation>`{root}` 读取 `{node}`（{op}），而不是卷积。</translation>
    </message>
    <message>
        <source>`{root}` reads `{value}`, an input, not a convolution.</source>
        <translation>`{root}` 读取输入 `{value}`，而不是卷积。</translation>
    </message>
    <message>
        <source>`{source}` and `{output}` are both names that the model's users see.</source>
        <translation>`{source}` 与 `{output}` 都是模型使用者可见的名称。</translation>
    </message>
    <message>
        <source>`{value}` and {more} more are initializers and also model inputs, so a caller may replace them.</source>
        <translation>`{value}` 及另外 {more} 个既是初始化器又是模型输入，调用者可以替换它们。</translation>
    </message>
    <message>
        <source>`{value}` belongs to the outer graph, which keeps it; the inner graph gets a constant of its own.</source>
        <translation>`{value}` 属于外层图并留在那里；内层图会得到自己的常量。</translation>
    </message>
    <message>
        <source>`{value}` comes from `{node}`, a DequantizeLinear that is kept.</source>
        <translation>`{value}` 来自 `{node}`，即保留的 DequantizeLinear。</translation>
    </message>
    <message>
        <source>`{value}` has a zero dimension: {shape}.</source>
        <translation>`{value}` 有为零的维度：{shape}。</translation>
    </message>
    <message>
        <source>`{value}` has shape {shape}; this fusion needs rank {wanted}.</source>
        <translation>`{value}` 的形状为 {shape}；此融合需要秩 {wanted}。</translation>
    </message>
    <message>
        <source>`{value}` is a model input, so its contents are not known here.</source>
        <translation>`{value}` 是模型输入，此处不知道其内容。</translation>
    </message>
    <message>
        <source>`{value}` is a model output, and fusing would remove it.</source>
        <translation>`{value}` 是模型输出，融合会使它消失。</translation>
    </message>
    <message>
        <source>`{value}` is a plain model input: the file holds no weights at all.</source>
        <translation>`{value}` 是普通的模型输入：文件中完全没有权重。</translation>
    </message>
    <message>
        <source>`{value}` is also read by `{node}`; a private copy of {bytes} is made.</source>
        <translation>`{node}` 也读取 `{value}`；会建立 {bytes} 的私有副本。</translation>
    </message>
    <message>
        <source>`{value}` is also read by `{other}`, which needs the value before `{reader}`.</source>
        <translation>`{other}` 也使用 `{value}`，且需要 `{reader}` 之前的值。</translation>
    </message>
    <message>
        <source>`{value}` is also read by {count} other nodes, `{other}` among them, which need the value before `{reader}`.</source>
        <translation>另有 {count} 个节点也使用 `{value}`（其中有 `{other}`），且需要 `{reader}` 之前的值。</translation>
    </message>
    <message>
        <source>`{value}` is an initializer and also a model input, so a caller may replace it.</source>
        <translation>`{value}` 既是初始化器又是模型输入，调用者可以替换它。</translation>
    </message>
    <message>
        <source>`{value}` is an input of the `{body}` of `{owner}` and may change there.</source>
        <translation>`{value}` 是 `{owner}` 的 `{body}` 的输入，可能在那里变化。</translation>
    </message>
    <message>
        <source>`{value}` is an input of the function `{function}`, so each call gives its own.</source>
        <translation>`{value}` 是函数 `{function}` 的输入，因此每次调用各不相同。</translation>
    </message>
    <message>
        <source>`{value}` is an output of the `{body}` of `{owner}`, and fusing would remove it.</source>
        <translation>`{value}` 是 `{owner}` 的 `{body}` 的输出，融合会使它消失。</translation>
    </message>
    <message>
        <source>`{value}` is an output of the function `{function}`, and fusing would remove it.</source>
        <translation>`{value}` 是函数 `{function}` 的输出，融合会使它消失。</translation>
    </message>
    <message>
        <source>`{value}` is computed at run time by `{node}`.</source>
        <translation>`{value}` 在运行时由 `{node}` 计算。</translation>
    </message>
    <message>
        <source>`{value}` is computed from `{node}`, so it cannot be its input too.</source>
        <translation>`{value}` 由 `{node}` 计算得来，因此不能同时作为它的输入。</translation>
    </message>
    <message>
        <source>`{value}` is no dense tensor and cannot be stored as a constant.</source>
        <translation>`{value}` 不是稠密张量，不能存为常量。</translation>
    </message>
    <message>
        <source>`{value}` is read inside the {body} graph of `{owner}` alone, so `{node}` stays.</source>
        <translation>`{value}` 只在 `{owner}` 的 {body} 图中被读取，因此 `{node}` 保留。</translation>
    </message>
    <message>
        <source>`{value}` is {type}, and only products of floats are folded.</source>
        <translation>`{value}` 是 {type}，而只有浮点数的乘积才会折叠。</translation>
    </message>
    <message>
        <source>`{value}`, the mask of `{node}`, is read and its shape is not known.</source>
        <translation>`{value}`（`{node}` 的掩码）被读取，而其形状未知。</translation>
    </message>
    <message>
        <source>{op} comes with opset {since}, the model has {opset}: `{node}` is a fused region, which exports as the operators that it was.</source>
        <translation>{op} 从 opset {since} 才有，而模型是 {opset}：`{node}` 成为一个融合区域，导出时仍是原来的算子。</translation>
    </message>
    <message>
        <source>{op} does not take {type} here.</source>
        <translation>{op} 在此不接受 {type}。</translation>
    </message>
    <message>
        <source>{target} fuses `{node}` itself when it loads the model.</source>
        <translation>{target} 载入模型时自己会融合 `{node}`。</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>(skipped)</source>
        <translation>（已跳过）</translation>
    </message>
    <message>
        <source>, assumed {symbol} = {size}</source>
        <translation>，假定 {symbol} = {size}</translation>
    </message>
    <message>
        <source>, sizes and integers of {folder}</source>
        <translation>，大小与整数取自 {folder}</translation>
    </message>
    <message>
        <source>A report is written as .html, .md or .json.</source>
        <translation>报告写为 .html、.md 或 .json。</translation>
    </message>
    <message>
        <source>A run after, median</source>
        <translation>优化后运行一次，中位数</translation>
    </message>
    <message>
        <source>A run before, median</source>
        <translation>优化前运行一次，中位数</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Articles expect</source>
        <translation>文章的预期</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>前后对比</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>Bytes of constants</source>
        <translation>常量字节数</translation>
    </message>
    <message>
        <source>Bytes written and FLOPs are counted at {sizes}.</source>
        <translation>写入字节数与浮点运算量按 {sizes} 计算。</translation>
    </message>
    <message>
        <source>Bytes written in a run</source>
        <translation>一次运行写出的字节数</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Expected and measured</source>
        <translation>预期与实测</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Floating-point operations</source>
        <translation>浮点运算次数</translation>
    </message>
    <message>
        <source>IR version {ir}, opsets {opsets}.</source>
        <translation>IR 版本 {ir}，opset {opsets}。</translation>
    </message>
    <message>
        <source>Initializers</source>
        <translation>初始化器</translation>
    </message>
    <message>
        <source>Inputs: seed {seed}</source>
        <translation>输入：种子 {seed}</translation>
    </message>
    <message>
        <source>Made by {producer}.</source>
        <translation>由 {producer} 生成。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Memory written in a run</source>
        <translation>一次运行写入的内存</translation>
    </message>
    <message>
        <source>No pass found anything to rewrite.</source>
        <translation>没有任何遍找到可做的改写。</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes without a kernel: {nodes}.</source>
        <translation>没有内核的节点：{nodes}。</translation>
    </message>
    <message>
        <source>Not compared. {why}</source>
        <translation>未比较。{why}</translation>
    </message>
    <message>
        <source>Nothing is blocked.</source>
        <translation>没有受阻的融合。</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Optimization report: {file}</source>
        <translation>优化报告：{file}</translation>
    </message>
    <message>
        <source>Optimizing</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Outputs, before against after</source>
        <translation>输出，之前与之后</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Problems in the file</source>
        <translation>文件中的问题</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>根节点</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Size of the constants</source>
        <translation>常量的大小</translation>
    </message>
    <message>
        <source>Some sizes are symbolic; these figures assume a size for each.</source>
        <translation>部分大小是符号；这些数字为每个符号假定了大小。</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>The outputs agree, max |Δ| {delta} ({executor} executor).</source>
        <translation>输出一致，最大 |Δ| {delta}（{executor} 执行器）。</translation>
    </message>
    <message>
        <source>The outputs differ, max |Δ| {delta}. {why}</source>
        <translation>输出不同，最大 |Δ| {delta}。{why}</translation>
    </message>
    <message>
        <source>The ranges are what articles about optimizing exported networks promise; what a model gains depends on how much of it is left to fold and fuse.</source>
        <translation>这些范围是关于优化导出网络的文章所承诺的；一个模型能得到多少，取决于还有多少可以折叠与融合。</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>What could be run agrees, max |Δ| {delta}. Not fully proved: {why}</source>
        <translation>能运行的部分一致，最大 |Δ| {delta}。未完全证明：{why}</translation>
    </message>
    <message>
        <source>What would unblock it</source>
        <translation>解除办法</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>fail</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>max relative</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>nodes {nodes}, parameters {parameters}, bytes written {bytes}, FLOPs {flops}</source>
        <translation>节点 {nodes}，参数 {parameters}，写入字节 {bytes}，FLOPs {flops}</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未达到</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>reached</source>
        <translation>已达到</translation>
    </message>
    <message>
        <source>{before} → {after} nodes. Steps applied: {steps}. Blocked: {blocked}.</source>
        <translation>{before} → {after} 个节点。已应用步骤：{steps}。受阻：{blocked}。</translation>
    </message>
</context>
<context>
    <name>ReportFile</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>The report was written to %1.</source>
        <translation>报告已写到 %1。</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>正在写报告</translation>
    </message>
</context>
<context>
    <name>Rule</name>
    <message>
        <source>Add + LayerNormalization</source>
        <translation>Add + LayerNormalization</translation>
    </message>
    <message>
        <source>Add + activation</source>
        <translation>Add + 激活</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>BatchNormalization + Conv</source>
        <translation>BatchNormalization + Conv</translation>
    </message>
    <message>
        <source>BatchNormalization chain</source>
        <translation>BatchNormalization 链</translation>
    </message>
    <message>
        <source>BatchNormalization to inference</source>
        <translation>BatchNormalization 改为推理</translation>
    </message>
    <message>
        <source>Cast chain</source>
        <translation>Cast 链</translation>
    </message>
    <message>
        <source>Cast into ConstantOfShape</source>
        <translation>Cast 并入 ConstantOfShape</translation>
    </message>
    <message>
        <source>Choose the branch of an If</source>
        <translation>选定 If 的分支</translation>
    </message>
    <message>
        <source>Choose the branch that can run</source>
        <translation>选择能运行的分支</translation>
    </message>
    <message>
        <source>Clip chain</source>
        <translation>Clip 链</translation>
    </message>
    <message>
        <source>Concat + Conv</source>
        <translation>Concat + Conv</translation>
    </message>
    <message>
        <source>Concat chain</source>
        <translation>Concat 链</translation>
    </message>
    <message>
        <source>Conv + Add + activation</source>
        <translation>Conv + Add + 激活</translation>
    </message>
    <message>
        <source>Conv + BatchNormalization</source>
        <translation>Conv + BatchNormalization</translation>
    </message>
    <message>
        <source>Conv + activation</source>
        <translation>Conv + 激活</translation>
    </message>
    <message>
        <source>Conv + bias</source>
        <translation>Conv + 偏置</translation>
    </message>
    <message>
        <source>Conv + scale</source>
        <translation>Conv + 缩放</translation>
    </message>
    <message>
        <source>ConvTranspose + BatchNormalization</source>
        <translation>ConvTranspose + BatchNormalization</translation>
    </message>
    <message>
        <source>Drop an output</source>
        <translation>去掉输出</translation>
    </message>
    <message>
        <source>Dropout to inference</source>
        <translation>Dropout 改为推理</translation>
    </message>
    <message>
        <source>Duplicate a producer</source>
        <translation>复制生产者</translation>
    </message>
    <message>
        <source>Elementwise chain</source>
        <translation>逐元素链</translation>
    </message>
    <message>
        <source>Fold computed sizes</source>
        <translation>折叠计算出的尺寸</translation>
    </message>
    <message>
        <source>Fold constants</source>
        <translation>折叠常量</translation>
    </message>
    <message>
        <source>Fold shapes</source>
        <translation>折叠形状</translation>
    </message>
    <message>
        <source>Freeze initializers</source>
        <translation>冻结初始化器</translation>
    </message>
    <message>
        <source>Gathers or Slices to Split</source>
        <translation>多个 Gather 或 Slice 变为 Split</translation>
    </message>
    <message>
        <source>Gelu</source>
        <translation>Gelu</translation>
    </message>
    <message>
        <source>Gemm + BatchNormalization</source>
        <translation>Gemm + BatchNormalization</translation>
    </message>
    <message>
        <source>Gemm + activation</source>
        <translation>Gemm + 激活</translation>
    </message>
    <message>
        <source>Gemm + bias</source>
        <translation>Gemm + 偏置</translation>
    </message>
    <message>
        <source>HardSwish</source>
        <translation>HardSwish</translation>
    </message>
    <message>
        <source>Hoist what a loop never changes</source>
        <translation>外提循环中不变的值</translation>
    </message>
    <message>
        <source>Inline a function</source>
        <translation>内联函数</translation>
    </message>
    <message>
        <source>LayerNormalization</source>
        <translation>LayerNormalization</translation>
    </message>
    <message>
        <source>Leave out states that are zero</source>
        <translation>省略为零的状态</translation>
    </message>
    <message>
        <source>MatMul + Add</source>
        <translation>MatMul + Add</translation>
    </message>
    <message>
        <source>MatMul + Add to Gemm</source>
        <translation>MatMul + Add 改为 Gemm</translation>
    </message>
    <message>
        <source>MatMul + scale</source>
        <translation>MatMul + 缩放</translation>
    </message>
    <message>
        <source>Merge duplicates</source>
        <translation>合并重复节点</translation>
    </message>
    <message>
        <source>Merge equal initializers</source>
        <translation>合并相同的初始化器</translation>
    </message>
    <message>
        <source>Mish</source>
        <translation>Mish</translation>
    </message>
    <message>
        <source>Not before Where</source>
        <translation>Where 之前的 Not</translation>
    </message>
    <message>
        <source>Operator twice in a row</source>
        <translation>连续两次的算子</translation>
    </message>
    <message>
        <source>Pad + Conv</source>
        <translation>Pad + Conv</translation>
    </message>
    <message>
        <source>Pad + pooling</source>
        <translation>Pad + 池化</translation>
    </message>
    <message>
        <source>Parallel Conv merge</source>
        <translation>并行 Conv 合并</translation>
    </message>
    <message>
        <source>Push Transposes</source>
        <translation>推移 Transpose</translation>
    </message>
    <message>
        <source>Quantization chain</source>
        <translation>量化链</translation>
    </message>
    <message>
        <source>QuickGelu</source>
        <translation>QuickGelu</translation>
    </message>
    <message>
        <source>RMSNormalization</source>
        <translation>RMSNormalization</translation>
    </message>
    <message>
        <source>Remove Dropout</source>
        <translation>移除 Dropout</translation>
    </message>
    <message>
        <source>Remove Identity</source>
        <translation>移除 Identity</translation>
    </message>
    <message>
        <source>Remove dead nodes</source>
        <translation>移除死节点</translation>
    </message>
    <message>
        <source>Remove outputs that nobody reads</source>
        <translation>去掉无人读取的输出</translation>
    </message>
    <message>
        <source>Remove what changes nothing</source>
        <translation>移除不起作用的节点</translation>
    </message>
    <message>
        <source>Remove what nobody uses</source>
        <translation>移除无人使用的内容</translation>
    </message>
    <message>
        <source>Reshape chain</source>
        <translation>Reshape 链</translation>
    </message>
    <message>
        <source>Reshapes around a product</source>
        <translation>乘积前后的 Reshape</translation>
    </message>
    <message>
        <source>Scale + Conv</source>
        <translation>缩放 + Conv</translation>
    </message>
    <message>
        <source>Shape change into its producer</source>
        <translation>形状变化并入其产生者</translation>
    </message>
    <message>
        <source>Shape of an operand</source>
        <translation>操作数的形状</translation>
    </message>
    <message>
        <source>SiLU</source>
        <translation>SiLU</translation>
    </message>
    <message>
        <source>Slice chain</source>
        <translation>Slice 链</translation>
    </message>
    <message>
        <source>Slices to SpaceToDepth</source>
        <translation>Slice 变为 SpaceToDepth</translation>
    </message>
    <message>
        <source>Softmax + Log</source>
        <translation>Softmax + Log</translation>
    </message>
    <message>
        <source>Transpose + MatMul</source>
        <translation>Transpose + MatMul</translation>
    </message>
    <message>
        <source>Transpose chain</source>
        <translation>Transpose 链</translation>
    </message>
    <message>
        <source>Transposes around a normalization</source>
        <translation>归一化两侧的 Transpose</translation>
    </message>
    <message>
        <source>What if: another attribute</source>
        <translation>假设：另一属性值</translation>
    </message>
    <message>
        <source>What if: another input</source>
        <translation>假设：另一输入</translation>
    </message>
    <message>
        <source>What if: one reader fewer</source>
        <translation>假设：少一个使用者</translation>
    </message>
</context>
<context>
    <name>Run</name>
    <message>
        <source>A part of {channels} channels does not fill whole blocks.</source>
        <translation>{channels} 个通道的一部分不能填满整块。</translation>
    </message>
    <message>
        <source>Choosing kernels</source>
        <translation>正在选择内核</translation>
    </message>
    <message>
        <source>NaN stands on one side only.</source>
        <translation>只有一侧出现 NaN。</translation>
    </message>
    <message>
        <source>No operand lies in blocks.</source>
        <translation>没有操作数按块存放。</translation>
    </message>
    <message>
        <source>One side holds another kind of value.</source>
        <translation>一侧是另一种值。</translation>
    </message>
    <message>
        <source>Packing weights</source>
        <translation>正在打包权重</translation>
    </message>
    <message>
        <source>Shapes differ: {before} before, {after} after.</source>
        <translation>形状不同：之前 {before}，之后 {after}。</translation>
    </message>
    <message>
        <source>The fast kernel makes one result.</source>
        <translation>快速内核只生成一个结果。</translation>
    </message>
    <message>
        <source>The input `{value}` of shape {shape} is too large to make.</source>
        <translation>形状为 {shape} 的输入 `{value}` 太大，无法生成。</translation>
    </message>
    <message>
        <source>The result is {found}; {expected} was expected.</source>
        <translation>结果是 {found}；应为 {expected}。</translation>
    </message>
    <message>
        <source>The run needs {needed} bytes; the limit is {limit}.</source>
        <translation>运行需要 {needed} 字节；上限是 {limit}。</translation>
    </message>
    <message>
        <source>The sequences have {before} and {after} elements.</source>
        <translation>两个序列分别有 {before} 与 {after} 个元素。</translation>
    </message>
    <message>
        <source>The shape of `{value}` does not fit the fast kernel.</source>
        <translation>`{value}` 的形状不适合快速内核。</translation>
    </message>
    <message>
        <source>The shape of the input `{value}` is not known; give one with --shape.</source>
        <translation>输入 `{value}` 的形状未知；请用 --shape 给出。</translation>
    </message>
    <message>
        <source>The sizes of `{value}` are known only while the model runs.</source>
        <translation>`{value}` 的大小只有运行时才知道。</translation>
    </message>
    <message>
        <source>The type of the input `{value}` is not known; give a file for it.</source>
        <translation>输入 `{value}` 的类型未知；请给出其文件。</translation>
    </message>
    <message>
        <source>There is no fast kernel for these axes.</source>
        <translation>对这些轴没有快速内核。</translation>
    </message>
    <message>
        <source>There is no fast kernel for this use of {op}.</source>
        <translation>对 {op} 的这种用法没有快速内核。</translation>
    </message>
    <message>
        <source>There is no fast kernel for {name} = {value}.</source>
        <translation>对 {name} = {value} 没有快速内核。</translation>
    </message>
    <message>
        <source>There is no fast kernel for {rank} axes here.</source>
        <translation>此处没有适用于 {rank} 个轴的快速内核。</translation>
    </message>
    <message>
        <source>Timing, round {round} of {rounds}</source>
        <translation>计时，第 {round} 轮，共 {rounds} 轮</translation>
    </message>
    <message>
        <source>Types differ: {before} before, {after} after.</source>
        <translation>类型不同：之前 {before}，之后 {after}。</translation>
    </message>
    <message>
        <source>Values differ beyond the tolerance.</source>
        <translation>数值之差超出容差。</translation>
    </message>
    <message>
        <source>Winograd is for 3×3 kernels with stride 1, dilation 1 and one group.</source>
        <translation>Winograd 用于步长 1、膨胀 1、单组的 3×3 卷积核。</translation>
    </message>
    <message>
        <source>Winograd is switched off.</source>
        <translation>Winograd 已关闭。</translation>
    </message>
    <message>
        <source>`{op}` needs more memory than there is.</source>
        <translation>`{op}` 需要的内存超过了可用内存。</translation>
    </message>
    <message>
        <source>`{value}` has no elements, or another form than the rest.</source>
        <translation>`{value}` 没有元素，或形式与其他的不同。</translation>
    </message>
    <message>
        <source>`{value}` is not constant.</source>
        <translation>`{value}` 不是常量。</translation>
    </message>
    <message>
        <source>`{value}` is of type {type}; the fast kernel has no form for it.</source>
        <translation>`{value}` 的类型是 {type}；快速内核没有相应形式。</translation>
    </message>
    <message>
        <source>{channels} input channel is too few for Winograd F(4×4).</source>
        <translation>{channels} 个输入通道对 Winograd F(4×4) 太少。</translation>
    </message>
    <message>
        <source>{channels} input channels are too few for Winograd F(4×4).</source>
        <translation>{channels} 个输入通道对 Winograd F(4×4) 太少。</translation>
    </message>
    <message>
        <source>{count} operation is too long for one pass.</source>
        <translation>{count} 步运算对单次遍历太长。</translation>
    </message>
    <message>
        <source>{count} operations are too many for one pass.</source>
        <translation>{count} 步运算对单次遍历太多。</translation>
    </message>
    <message>
        <source>{tiles} tile is too few for a larger Winograd kernel.</source>
        <translation>{tiles} 个分块对更大的 Winograd 内核太少。</translation>
    </message>
    <message>
        <source>{tiles} tiles are too few for a larger Winograd kernel.</source>
        <translation>{tiles} 个分块对更大的 Winograd 内核太少。</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>A neural processor: Relu and Clip after Conv, Gemm and residual Adds are left to it.</source>
        <translation>神经网络处理器：Conv、Gemm 与残差 Add 之后的 Relu 和 Clip 留给它。</translation>
    </message>
    <message>
        <source>Any runtime: everything that is legal is fused.</source>
        <translation>任意运行时：凡合法的都融合。</translation>
    </message>
    <message>
        <source>Comparing sample {count}</source>
        <translation>正在比较样本 {count}</translation>
    </message>
    <message>
        <source>Looking between step {first} and step {last}</source>
        <translation>正在第 {first} 步与第 {last} 步之间查找</translation>
    </message>
    <message>
        <source>ONNX Runtime: activations after Conv and Gemm, residual Adds, scales and Transposes of products, Gelu and LayerNormalization are left to it.</source>
        <translation>ONNX Runtime：Conv 与 Gemm 之后的激活、残差 Add、乘积的缩放与 Transpose、Gelu 与 LayerNormalization 留给它。</translation>
    </message>
    <message>
        <source>ONNX's checker refuses the written model: {cause}</source>
        <translation>ONNX 的检查器拒绝写出的模型：{cause}</translation>
    </message>
    <message>
        <source>Of two choices of sizes the model ran at one only.</source>
        <translation>两组尺寸中，模型只在其中一组上运行成功。</translation>
    </message>
    <message>
        <source>One operator of com.microsoft cannot be run here; the standard operators that it stands for were run in its place.</source>
        <translation>com.microsoft 的 1 个算子无法在此运行；已改为运行它所代表的标准算子。</translation>
    </message>
    <message>
        <source>Only tensors can be written to such a file.</source>
        <translation>只有张量可以写入这种文件。</translation>
    </message>
    <message>
        <source>Optimizing: {count} step so far</source>
        <translation>正在优化：目前 {count} 步</translation>
    </message>
    <message>
        <source>Optimizing: {count} steps so far</source>
        <translation>正在优化：目前 {count} 步</translation>
    </message>
    <message>
        <source>Output `{output}` should be {expected}; it is {found} and differs by {error}.</source>
        <translation>输出 `{output}` 应为 {expected}；它是 {found}，相差 {error}。</translation>
    </message>
    <message>
        <source>Outputs differ beyond the tolerance.</source>
        <translation>输出之差超出容差。</translation>
    </message>
    <message>
        <source>Reading the model back</source>
        <translation>正在读回模型</translation>
    </message>
    <message>
        <source>Running the model after</source>
        <translation>正在运行优化后的模型</translation>
    </message>
    <message>
        <source>Running the model before</source>
        <translation>正在运行优化前的模型</translation>
    </message>
    <message>
        <source>Running the model before and after</source>
        <translation>正在运行优化前后的模型</translation>
    </message>
    <message>
        <source>Running {folder}</source>
        <translation>正在运行 {folder}</translation>
    </message>
    <message>
        <source>TensorRT: padding, activations, residual Adds, elementwise chains and attention are left to it.</source>
        <translation>TensorRT：填充、激活、残差 Add、逐元素链与注意力留给它。</translation>
    </message>
    <message>
        <source>The data set has no expected value of the output `{output}`.</source>
        <translation>数据集中没有输出 `{output}` 的期望值。</translation>
    </message>
    <message>
        <source>The file cannot be written: {cause}.</source>
        <translation>无法写入文件：{cause}。</translation>
    </message>
    <message>
        <source>The file exists already; it is replaced only on request.</source>
        <translation>文件已存在；只有要求时才替换。</translation>
    </message>
    <message>
        <source>The file holds one value; give a folder or an .npz for several.</source>
        <translation>该文件只存放一个值；多个值请给出文件夹或 .npz。</translation>
    </message>
    <message>
        <source>The folder does not exist.</source>
        <translation>该文件夹不存在。</translation>
    </message>
    <message>
        <source>The folder holds no inputs of this model: no input_0.pb, no NAME.npy, no .npz file, no folders of them.</source>
        <translation>该文件夹中没有此模型的输入：没有 input_0.pb、名称.npy、.npz 文件，也没有装有它们的子文件夹。</translation>
    </message>
    <message>
        <source>The input `{value}` is {expected}; the file holds {found}.</source>
        <translation>输入 `{value}` 是 {expected}；文件中是 {found}。</translation>
    </message>
    <message>
        <source>The input or output `{name}` of the written model is not what it is in the source.</source>
        <translation>写出的模型的输入或输出 `{name}` 与源文件不一致。</translation>
    </message>
    <message>
        <source>The model has no input `{value}`; it has {known}.</source>
        <translation>模型没有输入 `{value}`；它有 {known}。</translation>
    </message>
    <message>
        <source>The output is not there after the change.</source>
        <translation>变更之后该输出已不存在。</translation>
    </message>
    <message>
        <source>The output is there after the change only.</source>
        <translation>该输出只在变更之后存在。</translation>
    </message>
    <message>
        <source>The picture {file} was not written: {why}.</source>
        <translation>图片 {file} 未写出：{why}。</translation>
    </message>
    <message>
        <source>The proof was not asked for.</source>
        <translation>没有要求证明。</translation>
    </message>
    <message>
        <source>There is no such folder that can be read.</source>
        <translation>没有可读取的这样的文件夹。</translation>
    </message>
    <message>
        <source>This is the source file; it is never written.</source>
        <translation>这是源文件；绝不写入。</translation>
    </message>
    <message>
        <source>Values are written as .npz, .npy, .pb, or as a folder.</source>
        <translation>值写为 .npz、.npy、.pb，或一个文件夹。</translation>
    </message>
    <message>
        <source>Waiting for another run to end</source>
        <translation>正在等待另一次运行结束</translation>
    </message>
    <message>
        <source>What stands there is no file and is not replaced.</source>
        <translation>该处不是文件，不会被替换。</translation>
    </message>
    <message>
        <source>Writing the model</source>
        <translation>正在写出模型</translation>
    </message>
    <message>
        <source>`{node}` has no kernel, and the type of its result is not known.</source>
        <translation>`{node}` 没有内核，其结果的类型未知。</translation>
    </message>
    <message>
        <source>`{node}`, which cannot be run, is not there after the change, though its result is read.</source>
        <translation>无法运行的 `{node}` 在变更之后已不存在，而它的结果仍被读取。</translation>
    </message>
    <message>
        <source>`{output}` is NaN in {count} place, before and after alike; there the comparison says nothing.</source>
        <translation>`{output}` 有 {count} 处为 NaN，优化前后相同；该处的比较不说明任何问题。</translation>
    </message>
    <message>
        <source>`{output}` is NaN, before and after alike; of {count} places in all the comparison says nothing.</source>
        <translation>`{output}` 含 NaN，优化前后相同；共有 {count} 处的比较不说明任何问题。</translation>
    </message>
    <message>
        <source>`{value}` has {bytes} bytes; files of values are written up to {limit}.</source>
        <translation>`{value}` 有 {bytes} 字节；值文件最多写 {limit} 字节。</translation>
    </message>
    <message>
        <source>{count} node has no kernel: its result was replaced by the same values on both sides.</source>
        <translation>{count} 个节点没有内核：其结果在两侧用相同的值代替。</translation>
    </message>
    <message>
        <source>{count} nodes have no kernel: their results were replaced by the same values on both sides.</source>
        <translation>{count} 个节点没有内核：其结果在两侧用相同的值代替。</translation>
    </message>
    <message>
        <source>{count} of the inputs could not be run.</source>
        <translation>有 {count} 份输入无法运行。</translation>
    </message>
    <message>
        <source>{count} operators of com.microsoft cannot be run here; the standard operators that they stand for were run in their place.</source>
        <translation>有 {count} 个 com.microsoft 算子无法在此运行；已改为运行它们所代表的标准算子。</translation>
    </message>
    <message>
        <source>{file} is no picture: its name must end in .svg, .png or .pdf.</source>
        <translation>{file} 不是图片：名称须以 .svg、.png 或 .pdf 结尾。</translation>
    </message>
    <message>
        <source>{text}</source>
        <translation>{text}</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>Language of the window.</source>
        <translation>窗口的语言。</translation>
    </message>
    <message>
        <source>Options stand after the command: fusescope %1 MODEL %2</source>
        <translation>选项应写在命令之后：fusescope %1 MODEL %2</translation>
    </message>
    <message>
        <source>The answer could not be written to the standard output.</source>
        <translation>结果无法写入标准输出。</translation>
    </message>
    <message>
        <source>There is no command or file "%1".</source>
        <translation>没有名为“%1”的命令或文件。</translation>
    </message>
    <message>
        <source>There is no language "%1": take en or zh_CN.</source>
        <translation>没有语言“%1”：请用 en 或 zh_CN。</translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message>
        <source>Drop an output of {node} that nobody reads</source>
        <translation>去掉 {node} 的一个无人读取的输出</translation>
    </message>
    <message>
        <source>Drop {count} outputs of {node} that nobody reads</source>
        <translation>去掉 {node} 的 {count} 个无人读取的输出</translation>
    </message>
    <message>
        <source>Fold the shape {node}</source>
        <translation>折叠形状 {node}</translation>
    </message>
    <message>
        <source>Fold {node}</source>
        <translation>折叠 {node}</translation>
    </message>
    <message>
        <source>Inline {node}, a call of {op}</source>
        <translation>内联 {node}，即对 {op} 的调用</translation>
    </message>
    <message>
        <source>Join {first} and {last}</source>
        <translation>合并 {first} 与 {last}</translation>
    </message>
    <message>
        <source>Join {first} and {last} around what lies between</source>
        <translation>跨过中间的运算合并 {first} 与 {last}</translation>
    </message>
    <message>
        <source>Leave out an input of {node} that is zero</source>
        <translation>省略 {node} 的一个为零的输入</translation>
    </message>
    <message>
        <source>Leave out {count} inputs of {node} that are zero</source>
        <translation>省略 {node} 的 {count} 个为零的输入</translation>
    </message>
    <message>
        <source>Let the body of {node} read {value} from outside, since it never changes</source>
        <translation>{value} 从不改变，让 {node} 的循环体从外面读取它</translation>
    </message>
    <message>
        <source>Let {first} fill with what {last} casts to</source>
        <translation>让 {first} 直接填充 {last} 转换后的值</translation>
    </message>
    <message>
        <source>Let {first} give the shape that {last} makes</source>
        <translation>让 {first} 直接给出 {last} 所要的形状</translation>
    </message>
    <message>
        <source>Let {node} choose without {other}</source>
        <translation>让 {node} 不经 {other} 直接选择</translation>
    </message>
    <message>
        <source>Let {node} keep the axes of {value}, without the Reshapes around it</source>
        <translation>让 {node} 保留 {value} 的各轴，省去前后的 Reshape</translation>
    </message>
    <message>
        <source>Let {node} read {value}, which has the shape of {other}</source>
        <translation>让 {node} 读取 {value}，其形状与 {other} 相同</translation>
    </message>
    <message>
        <source>Local functions need IR 4 or later; the model has IR {ir}.</source>
        <translation>局部函数需要 IR 4 或更高版本；模型是 IR {ir}。</translation>
    </message>
    <message>
        <source>Merge an initializer with an equal one</source>
        <translation>将一个初始化器与相同的合并</translation>
    </message>
    <message>
        <source>Merge {count} initializers with equal ones</source>
        <translation>将 {count} 个初始化器与相同的合并</translation>
    </message>
    <message>
        <source>Merge {node} with its equal {other}</source>
        <translation>将 {node} 与相同的 {other} 合并</translation>
    </message>
    <message>
        <source>Push {node} through its readers: one Transpose fewer</source>
        <translation>将 {node} 推过其读取者：少一个 Transpose</translation>
    </message>
    <message>
        <source>Push {node} through its readers: {count} Transposes fewer</source>
        <translation>将 {node} 推过其读取者：少 {count} 个 Transpose</translation>
    </message>
    <message>
        <source>Remove a function that nobody calls</source>
        <translation>移除无人调用的函数</translation>
    </message>
    <message>
        <source>Remove an initializer that nobody reads</source>
        <translation>移除无人读取的初始化器</translation>
    </message>
    <message>
        <source>Remove the Dropout {node}</source>
        <translation>移除 Dropout {node}</translation>
    </message>
    <message>
        <source>Remove the Identity {node}</source>
        <translation>移除 Identity {node}</translation>
    </message>
    <message>
        <source>Remove {count} functions that nobody calls</source>
        <translation>移除 {count} 个无人调用的函数</translation>
    </message>
    <message>
        <source>Remove {count} initializers and functions that nobody uses</source>
        <translation>移除 {count} 个无人使用的初始化器与函数</translation>
    </message>
    <message>
        <source>Remove {count} initializers that nobody reads</source>
        <translation>移除 {count} 个无人读取的初始化器</translation>
    </message>
    <message>
        <source>Remove {first} and {last}, which cancel</source>
        <translation>移除互相抵消的 {first} 与 {last}</translation>
    </message>
    <message>
        <source>Remove {last}, which changes nothing after {first}</source>
        <translation>移除 {last}：它在 {first} 之后不改变任何内容</translation>
    </message>
    <message>
        <source>Remove {node}, which changes nothing</source>
        <translation>移除不起作用的 {node}</translation>
    </message>
    <message>
        <source>Remove {node}, which nobody reads</source>
        <translation>移除无人读取的 {node}</translation>
    </message>
    <message>
        <source>Split {value} into its {count} parts at once</source>
        <translation>把 {value} 一次拆成 {count} 部分</translation>
    </message>
    <message>
        <source>Take the else branch of {node}</source>
        <translation>采用 {node} 的 else 分支</translation>
    </message>
    <message>
        <source>Take the else branch of {node}: with the other, {reader} fails, which takes rank {rank}</source>
        <translation>取 {node} 的 else 分支：若取另一分支，只接受 {rank} 维的 {reader} 必定失败</translation>
    </message>
    <message>
        <source>Take the then branch of {node}</source>
        <translation>采用 {node} 的 then 分支</translation>
    </message>
    <message>
        <source>Take the then branch of {node}: with the other, {reader} fails, which takes rank {rank}</source>
        <translation>取 {node} 的 then 分支：若取另一分支，只接受 {rank} 维的 {reader} 必定失败</translation>
    </message>
    <message>
        <source>Write the parts that {node} joins as SpaceToDepth</source>
        <translation>把 {node} 拼接的各部分写成 SpaceToDepth</translation>
    </message>
    <message>
        <source>Write the sizes of {node} as a constant</source>
        <translation>把 {node} 的尺寸写成常量</translation>
    </message>
</context>
<context>
    <name>StepNotes</name>
    <message>
        <source>Blocked until step %1: %2</source>
        <translation>在第 %1 步之前受阻：%2</translation>
    </message>
</context>
<context>
    <name>Title</name>
    <message>
        <source>Fold {node} forward into {conv}</source>
        <translation>将 {node} 前移并入 {conv}</translation>
    </message>
    <message>
        <source>Fold {node} into the bias of {conv}</source>
        <translation>将 {node} 并入 {conv} 的偏置</translation>
    </message>
    <message>
        <source>Fold {node} into the weights of {conv}</source>
        <translation>将 {node} 并入 {conv} 的权重</translation>
    </message>
    <message>
        <source>Fold {node} into {conv}</source>
        <translation>将 {node} 并入 {conv}</translation>
    </message>
    <message>
        <source>Fuse {count} elementwise nodes at {node}</source>
        <translation>在 {node} 处融合 {count} 个逐元素节点</translation>
    </message>
    <message>
        <source>Fuse {first} with {last}</source>
        <translation>将 {first} 与 {last} 融合</translation>
    </message>
    <message>
        <source>Fuse {first}, {middle} and {last}</source>
        <translation>融合 {first}、{middle} 与 {last}</translation>
    </message>
    <message>
        <source>Make {first} and {last} one Gemm</source>
        <translation>将 {first} 与 {last} 变为一个 Gemm</translation>
    </message>
    <message>
        <source>Merge {count} convolutions before {concat}</source>
        <translation>合并 {concat} 之前的 {count} 个卷积</translation>
    </message>
    <message>
        <source>Merge {first} into {last}</source>
        <translation>将 {first} 并入 {last}</translation>
    </message>
    <message>
        <source>Merge {pad} into {reader}</source>
        <translation>将 {pad} 并入 {reader}</translation>
    </message>
    <message>
        <source>Normalize {norm} where its axes lie, without {first} and {last}</source>
        <translation>就地对 {norm} 归一化，去掉 {first} 和 {last}</translation>
    </message>
    <message>
        <source>Recognize Gelu at {node}</source>
        <translation>在 {node} 处识别出 Gelu</translation>
    </message>
    <message>
        <source>Recognize HardSwish at {node}</source>
        <translation>在 {node} 处识别出 HardSwish</translation>
    </message>
    <message>
        <source>Recognize LayerNormalization at {node}</source>
        <translation>在 {node} 处识别出 LayerNormalization</translation>
    </message>
    <message>
        <source>Recognize Mish at {node}</source>
        <translation>在 {node} 处识别出 Mish</translation>
    </message>
    <message>
        <source>Recognize QuickGelu at {node}</source>
        <translation>在 {node} 处识别出 QuickGelu</translation>
    </message>
    <message>
        <source>Recognize RMSNormalization at {node}</source>
        <translation>在 {node} 处识别出 RMSNormalization</translation>
    </message>
    <message>
        <source>Recognize SiLU at {node}</source>
        <translation>在 {node} 处识别出 SiLU</translation>
    </message>
    <message>
        <source>Recognize attention at {node}</source>
        <translation>在 {node} 处识别出注意力</translation>
    </message>
</context>
<context>
    <name>ValueText</name>
    <message>
        <source>(not shown)</source>
        <translation>（未显示）</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
</context>
<context>
    <name>WhatIf</name>
    <message>
        <source>%1 of %2; nothing for the default</source>
        <translation>%2 的 %1；留空则取默认值</translation>
    </message>
    <message>
        <source>Input %1 of %2</source>
        <translation>%2 的输入 %1</translation>
    </message>
    <message>
        <source>What If?</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>缺省</translation>
    </message>
    <message>
        <source>change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>this node</source>
        <translation>此节点</translation>
    </message>
</context>
<context>
    <name>fusescope::Actions</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>fusescope::AppState</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>place, cause</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Another window keeps one, which cannot be moved.</source>
        <translation>另一个窗口保存着一份，且无法移开。</translation>
    </message>
    <message>
        <source>Another window kept another plan of this model. It is now in %1.</source>
        <translation>另一个窗口为此模型保存了另一份计划，它现在位于 %1。</translation>
    </message>
    <message>
        <source>Applied as step %1: %2. Blocked: %3 before, %4 now.</source>
        <translation>已作为第 %1 步应用：%2。受阻项：之前 %3 个，现在 %4 个。</translation>
    </message>
    <message>
        <source>Apply Again</source>
        <translation>重新应用</translation>
    </message>
    <message>
        <source>Choice of passes</source>
        <translation>遍的选择</translation>
    </message>
    <message>
        <source>Edit of %1</source>
        <translation>对 %1 的编辑</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Fix of %1</source>
        <translation>修复 %1</translation>
    </message>
    <message>
        <source>Looking for the first step that differs</source>
        <translation>正在查找首个不同的步骤</translation>
    </message>
    <message>
        <source>Mark %1 as pure</source>
        <translation>标记 %1 无副作用</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Pin of %1</source>
        <translation>固定 %1</translation>
    </message>
    <message>
        <source>Profiling</source>
        <translation>正在剖析性能</translation>
    </message>
    <message>
        <source>Running and comparing</source>
        <translation>正在运行并比较</translation>
    </message>
    <message>
        <source>Skip of %1</source>
        <translation>跳过 %1</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>The plan is not kept for the next start: %1</source>
        <translation>此计划不会保留到下次启动：%1</translation>
    </message>
    <message>
        <source>The plan kept for this model cannot be read: %1</source>
        <translation>无法读取为此模型保存的方案：%1</translation>
    </message>
    <message>
        <source>The plan kept for this model cannot be read: %1 It is now in %2.</source>
        <translation>无法读取为此模型保存的方案：%1 该文件现在位于 %2。</translation>
    </message>
    <message>
        <source>Unpin of %1</source>
        <translation>取消固定 %1</translation>
    </message>
    <message>
        <source>added at step %1</source>
        <translation>在第 %1 步新增</translation>
    </message>
    <message>
        <source>changed at step %1</source>
        <translation>在第 %1 步变更</translation>
    </message>
    <message>
        <source>removed at step %1</source>
        <translation>在第 %1 步移除</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>fusescope::BlockedDetails</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close details</source>
        <translation>关闭详情</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Looking at the conditions</source>
        <translation>正在检查条件</translation>
    </message>
    <message>
        <source>To unblock:</source>
        <translation>解除办法：</translation>
    </message>
    <message>
        <source>Try in a scratch copy</source>
        <translation>在草稿副本中尝试</translation>
    </message>
    <message>
        <source>Why it is blocked</source>
        <translation>受阻的原因</translation>
    </message>
</context>
<context>
    <name>fusescope::BlockedModel</name>
    <message>
        <source>Culprit</source>
        <translation>症结</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>根节点</translation>
    </message>
    <message>
        <source>What would unblock it</source>
        <translation>解除办法</translation>
    </message>
    <message>
        <source>Why it is blocked</source>
        <translation>受阻的原因</translation>
    </message>
    <message>
        <source>legality</source>
        <translation>合法性</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>profit</source>
        <translation>收益</translation>
    </message>
</context>
<context>
    <name>fusescope::BlockedPanel</name>
    <message numerus="yes">
        <source>%n candidate(s) matched and were not applied</source>
        <translation>
            <numerusform>有 %n 个候选匹配但未应用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n candidate(s) were fused.</source>
        <translation>
            <numerusform>%n 个候选均已融合。</numerusform>
        </translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>Blocked candidates</source>
        <translation>受阻的候选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter blocked candidates</source>
        <translation>筛选受阻的候选</translation>
    </message>
    <message>
        <source>Fusions that nearly happened stand here, with reason, culprit and what would unblock them.</source>
        <translation>差一点发生的融合会列在这里，附原因、症结与解除办法。</translation>
    </message>
    <message>
        <source>Group by culprit</source>
        <translation>按症结分组</translation>
    </message>
    <message>
        <source>Hidden while you predict</source>
        <translation>先猜后看期间隐藏</translation>
    </message>
    <message>
        <source>No candidates yet</source>
        <translation>尚无候选</translation>
    </message>
    <message>
        <source>No operators that could be fused stand together.</source>
        <translation>没有可融合的算子相邻。</translation>
    </message>
    <message>
        <source>Nothing is blocked</source>
        <translation>没有受阻的融合</translation>
    </message>
    <message>
        <source>Rows of one culprit stand together, those that block most first</source>
        <translation>同一症结的行放在一起，受阻最多的在前</translation>
    </message>
    <message>
        <source>Show only these</source>
        <translation>只显示这些</translation>
    </message>
    <message>
        <source>The passes are still running</source>
        <translation>各遍仍在运行</translation>
    </message>
    <message>
        <source>What stays blocked is known when they have ended.</source>
        <translation>待其结束，即可知道哪些仍受阻。</translation>
    </message>
    <message>
        <source>What stays blocked is told when all steps are shown.</source>
        <translation>显示全部步骤后，才会列出仍受阻的融合。</translation>
    </message>
</context>
<context>
    <name>fusescope::Breadcrumb</name>
    <message>
        <source>Outer parts</source>
        <translation>外层部分</translation>
    </message>
    <message>
        <source>Place in the model</source>
        <translation>在模型中的位置</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
</context>
<context>
    <name>fusescope::CauseFound</name>
    <message>
        <source>%1, %2 before; %3, %4 after</source>
        <translation>之前 %1、%2；之后 %3、%4</translation>
    </message>
    <message>
        <source>Channel %1 has variance %2, so its scale is %3.</source>
        <translation>通道 %1 的方差为 %2，因此其缩放系数为 %3。</translation>
    </message>
    <message>
        <source>Error per channel</source>
        <translation>各通道误差</translation>
    </message>
    <message>
        <source>Error per channel, log scale</source>
        <translation>各通道误差（对数刻度）</translation>
    </message>
    <message numerus="yes">
        <source>It leaves %n other channel(s) as before.</source>
        <translation>
            <numerusform>其余 %n 个通道保持不变。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It moves %n other channel(s) by %1 at most.</source>
        <translation>
            <numerusform>其余 %n 个通道最多改变 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN、Inf</translation>
    </message>
    <message>
        <source>Others are not finite either.</source>
        <translation>其他通道也含非有限值。</translation>
    </message>
    <message>
        <source>Skip Step %1</source>
        <translation>跳过第 %1 步</translation>
    </message>
    <message>
        <source>The rewrite moves channel %1 by up to %2.</source>
        <translation>此改写使通道 %1 最多改变 %2。</translation>
    </message>
    <message>
        <source>The rewrite moves this value by up to %1.</source>
        <translation>此改写使该值最多改变 %1。</translation>
    </message>
    <message>
        <source>before, after</source>
        <translation>之前、之后</translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>worst element</source>
        <translation>最差元素</translation>
    </message>
</context>
<context>
    <name>fusescope::ChangesModel</name>
    <message>
        <source>(top)</source>
        <translation>（顶层）</translation>
    </message>
    <message>
        <source>Initializer</source>
        <translation>初始化器</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
</context>
<context>
    <name>fusescope::ChangesPanel</name>
    <message>
        <source>%1 (at %2)</source>
        <translation>%1（按 %2 计）</translation>
    </message>
    <message numerus="yes">
        <source>%n came and went</source>
        <translation>
            <numerusform>%n 项出现后又消失</numerusform>
        </translation>
    </message>
    <message>
        <source>A %1 → B %2</source>
        <translation>A %1 → B %2</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>FLOPs %1</source>
        <translation>FLOPs %1</translation>
    </message>
    <message>
        <source>No change between A and B</source>
        <translation>A 与 B 之间没有变化</translation>
    </message>
    <message>
        <source>No change in this step</source>
        <translation>此步没有变化</translation>
    </message>
    <message>
        <source>No change of this kind</source>
        <translation>没有此类变化</translation>
    </message>
    <message>
        <source>No change yet</source>
        <translation>尚无变化</translation>
    </message>
    <message>
        <source>Saves: %1</source>
        <translation>节省：%1</translation>
    </message>
    <message numerus="yes">
        <source>Show all, %n more</source>
        <translation>
            <numerusform>显示全部，另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>What a step changes stands here.</source>
        <translation>每一步的变更会列在这里。</translation>
    </message>
    <message>
        <source>bytes written %1</source>
        <translation>写入字节 %1</translation>
    </message>
    <message>
        <source>nodes %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>parameters %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>fusescope::ChannelBars</name>
    <message>
        <source>%1: %2, nearly dead</source>
        <translation>%1：%2，几乎不起作用</translation>
    </message>
    <message numerus="yes">
        <source>%n channels</source>
        <translation>
            <numerusform>%n 个通道</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>At %1: %2</source>
        <translation>%1 处：%2</translation>
    </message>
    <message>
        <source>Channel %1 of %2: %3</source>
        <translation>通道 %1，共 %2 个：%3</translation>
    </message>
    <message>
        <source>Channel %1: %2</source>
        <translation>通道 %1：%2</translation>
    </message>
    <message>
        <source>Left and Right choose a channel.</source>
        <translation>用 Left、Right 键选择通道。</translation>
    </message>
    <message>
        <source>Left and Right choose a place.</source>
        <translation>用 Left、Right 键选择位置。</translation>
    </message>
    <message>
        <source>channel %1: %2</source>
        <translation>通道 %1：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::Chip</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>fusescope::CompareBars</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::ComparePanel</name>
    <message>
        <source>%1 of %2 fail</source>
        <translation>%2 项中有 %1 项不成立</translation>
    </message>
    <message>
        <source>%1 of %2 fails</source>
        <translation>%2 项中有 %1 项不成立</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, sizes and integers of %2</source>
        <translation>%1，大小与整数取自 %2</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 outputs differ</source>
        <translation>
            <numerusform>%1 个输出中有 %n 个不同</numerusform>
        </translation>
    </message>
    <message>
        <source>After step %1 the outputs agree within the tolerance, so no step before it was tested.</source>
        <translation>第 %1 步之后输出在容差内一致，因此未测试它之前的步骤。</translation>
    </message>
    <message>
        <source>All that could run agrees</source>
        <translation>能运行的部分全部一致</translation>
    </message>
    <message>
        <source>Before and after agree</source>
        <translation>前后一致</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compared tensors</source>
        <translation>比较的张量</translation>
    </message>
    <message>
        <source>Compared: %1, max |Δ| %2.</source>
        <translation>比较的是：%1，最大 |Δ| %2。</translation>
    </message>
    <message>
        <source>Compared: %1.</source>
        <translation>比较的是：%1。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Executor: %1, %2 before, %3 after.</source>
        <translation>执行器：%1，之前 %2，之后 %3。</translation>
    </message>
    <message>
        <source>Find First Divergence</source>
        <translation>查找首个偏差</translation>
    </message>
    <message>
        <source>First diverges at step %1</source>
        <translation>首个偏差在第 %1 步</translation>
    </message>
    <message>
        <source>Give the inputs and the sizes that were assumed</source>
        <translation>给出输入与假定的大小</translation>
    </message>
    <message>
        <source>Inputs: %1. </source>
        <translation>输入：%1。</translation>
    </message>
    <message>
        <source>Intermediates that exist on both sides, worst first</source>
        <translation>两侧都有的中间值，最差的在前</translation>
    </message>
    <message>
        <source>Largest difference after each tested step</source>
        <translation>各个受测步骤之后的最大差值</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>Not compared yet</source>
        <translation>尚未比较</translation>
    </message>
    <message>
        <source>Open Step</source>
        <translation>打开该步</translation>
    </message>
    <message>
        <source>Open Step %1</source>
        <translation>打开第 %1 步</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Press F9 to run %1 and %2 on the same inputs.</source>
        <translation>按 F9，用相同输入运行%1与%2。</translation>
    </message>
    <message>
        <source>Press F9 to run the model before and after on the same inputs.</source>
        <translation>按 F9，用相同输入分别运行优化前后的模型。</translation>
    </message>
    <message>
        <source>Run &amp; Compare</source>
        <translation>运行并比较</translation>
    </message>
    <message>
        <source>Set…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Skip It and Compare Again</source>
        <translation>跳过它并重新比较</translation>
    </message>
    <message>
        <source>Step %1 is meant to change what the model computes: compare from there on to test the rewrites.</source>
        <translation>第 %1 步本来就会改变模型的计算结果：要检验各项改写，请从该步之后开始比较。</translation>
    </message>
    <message>
        <source>Steps %1–%2 agree.</source>
        <translation>第 %1–%2 步一致。</translation>
    </message>
    <message>
        <source>That raises max |Δ| from %1 to %2.</source>
        <translation>这使最大 |Δ| 从 %1 升至 %2。</translation>
    </message>
    <message>
        <source>The largest difference relative to the element itself. Near zero it grows without meaning much: the verdict takes max |Δ| against the output's largest value.</source>
        <translation>相对于该元素自身的最大差值。元素接近零时此值会变大而意义不大：判定用的是 max |Δ| 与输出最大值之比。</translation>
    </message>
    <message>
        <source>The output differs</source>
        <translation>输出不同</translation>
    </message>
    <message>
        <source>Tolerance: max |Δ| up to %1 of the output's largest value (rtol), plus %2 (atol). </source>
        <translation>容差：max |Δ| 不超过输出最大值的 %1 (rtol) 加 %2 (atol)。</translation>
    </message>
    <message>
        <source>Tolerance: max |Δ| up to %1 of the output's largest value (rtol). </source>
        <translation>容差：max |Δ| 不超过输出最大值的 %1 (rtol)。</translation>
    </message>
    <message>
        <source>Top-1 agrees in %1 %, top-5 in %2 % of %3 samples.</source>
        <translation>在 %3 个样本中，Top-1 一致率 %1 %，Top-5 一致率 %2 %。</translation>
    </message>
    <message>
        <source>assumed %1 = %2</source>
        <translation>假定 %1 = %2</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
</context>
<context>
    <name>fusescope::ConditionLine</name>
    <message>
        <source>fails: %1</source>
        <translation>不成立：%1</translation>
    </message>
    <message>
        <source>holds: %1</source>
        <translation>成立：%1</translation>
    </message>
    <message>
        <source>saw: %1</source>
        <translation>所见：%1</translation>
    </message>
</context>
<context>
    <name>fusescope::DockChrome</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
</context>
<context>
    <name>fusescope::DockTitle</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
</context>
<context>
    <name>fusescope::DropArea</name>
    <message>
        <source>Drop an ONNX model here</source>
        <translation>将 ONNX 模型拖放到此处</translation>
    </message>
    <message>
        <source>Drop an ONNX model here, or open a file</source>
        <translation>将 ONNX 模型拖放到此处，或打开文件</translation>
    </message>
    <message>
        <source>open a file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>or </source>
        <translation>或</translation>
    </message>
</context>
<context>
    <name>fusescope::ErrorScale</name>
    <message>
        <source>Scale of errors</source>
        <translation>误差标尺</translation>
    </message>
    <message>
        <source>max |Δ| of each output</source>
        <translation>各输出的最大 |Δ|</translation>
    </message>
</context>
<context>
    <name>fusescope::ExplainPage</name>
    <message>
        <source>! From −%1 to %1 the file's operators differ from %2 by max |Δ| %3.</source>
        <translation>! 在 −%1 到 %1 之间，文件中的算子与 %2 相差，最大 |Δ| %3。</translation>
    </message>
    <message>
        <source>! The operator's ε is %1, but the file adds %2 under the root.</source>
        <translation>! 算子的 ε 是 %1，而文件在根号下加的是 %2。</translation>
    </message>
    <message>
        <source>! The stored W′ and b′ differ from the formula by max |Δ| %1.</source>
        <translation>! 存储的 W′ 与 b′ 和公式相差最大 |Δ| %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n operator(s) are one %1</source>
        <translation>
            <numerusform>%n 个算子就是一个 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>A convolution adds up over its input channels. Split by where they come from, the sum is one term for each part, so the Concat need not copy the parts side by side: the joined value %1 is never written.</source>
        <translation>卷积对输入通道求和。按来源拆开，每个部分就是和中的一项，因此 Concat 不必把各部分并排拷贝：合并后的值 %1 从不写出。</translation>
    </message>
    <message>
        <source>At step %1</source>
        <translation>在第 %1 步</translation>
    </message>
    <message>
        <source>BatchNormalization disappears into the %1</source>
        <translation>BatchNormalization 并入%1后消失</translation>
    </message>
    <message>
        <source>Bias b of every channel</source>
        <translation>每个通道的偏置 b</translation>
    </message>
    <message>
        <source>Bias of every channel</source>
        <translation>每个通道的偏置</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Computed in float64 and rounded once to %1.</source>
        <translation>以 float64 计算，一次舍入到 %1。</translation>
    </message>
    <message>
        <source>In inference γ, β, μ and σ² are constants, so normalizing is one multiplication and one addition per output channel. Both can be done to the weights beforehand.</source>
        <translation>推理时 γ、β、μ 与 σ² 是常量，因此归一化对每个输出通道只是一次乘法与一次加法。二者都可以预先作用到权重上。</translation>
    </message>
    <message>
        <source>Mean and variance belong to each row of the input, so nothing can be folded beforehand. But one operator can read a row once, and write none of the values in between.</source>
        <translation>均值和方差属于输入的每一行，因此无法事先折叠。但一个算子可以只读一遍这一行，并且不写出任何中间值。</translation>
    </message>
    <message>
        <source>Scale of every channel</source>
        <translation>各通道的缩放</translation>
    </message>
    <message>
        <source>Scale s of every channel</source>
        <translation>各通道的缩放 s</translation>
    </message>
    <message>
        <source>Scale γ of every channel</source>
        <translation>每个通道的缩放 γ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors of the step</source>
        <translation>该步骤的张量</translation>
    </message>
    <message>
        <source>The Conv had no bias, so b = 0. Computed in float64 and rounded once to %1.</source>
        <translation>该 Conv 没有偏置，因此 b = 0。以 float64 计算，一次舍入到 %1。</translation>
    </message>
    <message numerus="yes">
        <source>The Conv reads %n part(s) where they lie</source>
        <translation>
            <numerusform>Conv 直接读取 %n 个部分所在之处</numerusform>
        </translation>
    </message>
    <message>
        <source>The first %1 of %2 parts are shown.</source>
        <translation>显示 %2 个部分中的前 %1 个。</translation>
    </message>
    <message>
        <source>The function's curve</source>
        <translation>函数的曲线</translation>
    </message>
    <message>
        <source>The mean of the squares belongs to each row of the input, so nothing can be folded beforehand. But one operator can read a row once, and write none of the values in between.</source>
        <translation>平方的均值属于输入的每一行，因此无法事先折叠。但一个算子可以只读一遍这一行，并且不写出任何中间值。</translation>
    </message>
    <message>
        <source>The numbers of this step cannot be read: its constants are missing.</source>
        <translation>无法读取此步的数值：缺少其常量。</translation>
    </message>
    <message>
        <source>The operators of the file at x = %1, computed in float64 with the file's constants.</source>
        <translation>文件中的各算子在 x = %1 处的结果，用文件的常量以 float64 计算。</translation>
    </message>
    <message>
        <source>The second line is for an x that lies 1 above the mean of its row, where the variance is 1.</source>
        <translation>第二行的 x 比所在行的均值大 1，且方差为 1。</translation>
    </message>
    <message>
        <source>The second line is for x = 1 in a row whose mean square is 1.</source>
        <translation>第二行是 x = 1，所在行的平方均值为 1。</translation>
    </message>
    <message>
        <source>There was no bias, so b = 0. Computed in float64 and rounded once to %1.</source>
        <translation>原来没有偏置，所以 b = 0。以 float64 计算，再一次舍入为 %1。</translation>
    </message>
    <message>
        <source>W %1 before</source>
        <translation>W %1 之前</translation>
    </message>
    <message>
        <source>Written out, each operator reads a whole tensor and writes another one. As one, every number is read once, the formula is computed, and the result is written.</source>
        <translation>分开写时，每个算子都读入整个张量并写出另一个。合为一个后，每个数只读一次，算出公式，写出结果。</translation>
    </message>
    <message>
        <source>W′ %1 after</source>
        <translation>W′ %1 之后</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>通道 %1</translation>
    </message>
    <message>
        <source>channel %1 of the joined value</source>
        <translation>合并后的值的第 %1 通道</translation>
    </message>
    <message>
        <source>channels %1 of the joined value</source>
        <translation>合并后的值的第 %1 通道</translation>
    </message>
    <message>
        <source>click a bar, or Left and Right</source>
        <translation>点击条形，或用 Left、Right 键</translation>
    </message>
    <message>
        <source>for all %1 weights of channel %2</source>
        <translation>对通道 %2 的全部 %1 个权重</translation>
    </message>
    <message>
        <source>for all weights of channel %1</source>
        <translation>对通道 %1 的全部权重</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>/ %1</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>value at %1</source>
        <translation>%1 处的值</translation>
    </message>
    <message>
        <source>y at every x</source>
        <translation>各 x 处的 y</translation>
    </message>
    <message>
        <source>✓ Checked: from −%1 to %1 the file's operators give %2, max |Δ| %3.</source>
        <translation>✓ 已检查：在 −%1 到 %1 之间，文件中的算子给出 %2，最大 |Δ| %3。</translation>
    </message>
    <message>
        <source>✓ Checked: the operator's ε is the number that the file adds under the root, %1.</source>
        <translation>✓ 已检查：算子的 ε 就是文件在根号下加的数 %1。</translation>
    </message>
    <message>
        <source>✓ Checked: the stored W′ and b′ are the formula's numbers for all channels, max |Δ| %1.</source>
        <translation>✓ 已核对：存储的 W′ 与 b′ 对所有通道都是公式所得，最大 |Δ| %1。</translation>
    </message>
</context>
<context>
    <name>fusescope::ExportDialog</name>
    <message>
        <source>%1 nodes, %2 as standard operators</source>
        <translation>%1 个节点，按标准算子为 %2 个</translation>
    </message>
    <message>
        <source>A file of this name is there already.</source>
        <translation>已有同名文件。</translation>
    </message>
    <message>
        <source>Always beside the model</source>
        <translation>始终放在模型旁</translation>
    </message>
    <message>
        <source>Always inside the model</source>
        <translation>始终放在模型内</translation>
    </message>
    <message>
        <source>Beside the model when it is over 2 GB</source>
        <translation>模型超过 2 GB 时放在模型旁</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export Optimized Model</source>
        <translation>导出优化后的模型</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Fused nodes as</source>
        <translation>融合节点写成</translation>
    </message>
    <message>
        <source>Local functions</source>
        <translation>局部函数</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Only ONNX Runtime loads com.microsoft operators.</source>
        <translation>只有 ONNX Runtime 能载入 com.microsoft 算子。</translation>
    </message>
    <message>
        <source>Only runtimes that know local functions (IR 8 and later) load it.</source>
        <translation>只有支持局部函数（IR 8 及以上）的运行时才能载入。</translation>
    </message>
    <message>
        <source>Replace the file that is there</source>
        <translation>替换已有的文件</translation>
    </message>
    <message>
        <source>Run both models on the same inputs and compare</source>
        <translation>用相同输入运行两个模型并比较</translation>
    </message>
    <message>
        <source>Standard operators</source>
        <translation>标准算子</translation>
    </message>
    <message>
        <source>The folder does not exist.</source>
        <translation>该文件夹不存在。</translation>
    </message>
    <message>
        <source>This is the source file; it is never written. Choose another name.</source>
        <translation>这是源文件；绝不写入。请另选名称。</translation>
    </message>
    <message>
        <source>Up to</source>
        <translation>到哪一步</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>com.microsoft operators</source>
        <translation>com.microsoft 算子</translation>
    </message>
    <message>
        <source>last step, %1</source>
        <translation>最后一步，%1</translation>
    </message>
    <message>
        <source>step %1, shown</source>
        <translation>第 %1 步，当前显示</translation>
    </message>
</context>
<context>
    <name>fusescope::FilterEdit</name>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>fusescope::FindBar</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>, %n near miss(es)</source>
        <translation>
            <numerusform>，%n 处近似匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find Next (F3)</source>
        <translation>查找下一个 (F3)</translation>
    </message>
    <message>
        <source>Find Previous (Shift+F3)</source>
        <translation>查找上一个 (Shift+F3)</translation>
    </message>
    <message>
        <source>Find node, tensor, attribute, Conv&gt;Relu</source>
        <translation>查找节点、属性、Conv&gt;Relu</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>elsewhere: %1 at other steps</source>
        <translation>别处：另有 %1 处在其他步骤</translation>
    </message>
    <message>
        <source>near miss %1 of %2</source>
        <translation>近似匹配 %1 / %2</translation>
    </message>
    <message>
        <source>no regular expression</source>
        <translation>不是正则表达式</translation>
    </message>
</context>
<context>
    <name>fusescope::GraphArea</name>
    <message>
        <source>%1 new</source>
        <translation>新增 %1</translation>
    </message>
    <message>
        <source>%1 will go</source>
        <translation>将移除 %1</translation>
    </message>
    <message>
        <source>%1: click for the list</source>
        <translation>%1：单击打开列表</translation>
    </message>
    <message>
        <source>%1: click for the next one, Ctrl+click to list no others</source>
        <translation>%1：单击跳到下一个，按住 Ctrl 单击则只列出这一类</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message numerus="yes">
        <source>After   step %1 · %n node(s)</source>
        <translation>
            <numerusform>之后   第 %1 步 · %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Arrange Anew</source>
        <translation>重新排列</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message numerus="yes">
        <source>Before   step %1 · %n node(s)</source>
        <translation>
            <numerusform>之前   第 %1 步 · %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Equal blocks</source>
        <translation>相同的块</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Graph before</source>
        <translation>之前的图</translation>
    </message>
    <message>
        <source>Laying out the graph</source>
        <translation>正在布局</translation>
    </message>
    <message>
        <source>Layout took longer than %1 s. A simpler drawing is shown.</source>
        <translation>布局超过 %1 秒，已改用简化画法。</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分屏</translation>
    </message>
    <message>
        <source>The graph is being laid out…</source>
        <translation>正在布局图…</translation>
    </message>
    <message>
        <source>The graph was drawn before all steps were known.</source>
        <translation>绘制此图时尚未得知所有步骤。</translation>
    </message>
    <message>
        <source>The graph was not laid out. File &gt; Reload tries again.</source>
        <translation>图没有布局完成。“文件 &gt; 重新加载”可再试一次。</translation>
    </message>
    <message>
        <source>Try Again Longer</source>
        <translation>延长再试</translation>
    </message>
    <message>
        <source>Views move together</source>
        <translation>视图联动</translation>
    </message>
    <message>
        <source>What the graph shows</source>
        <translation>图中显示的内容</translation>
    </message>
    <message>
        <source>Where the graph stands</source>
        <translation>图所在的位置</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>blocked: %1</source>
        <translation>受阻：%1</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>first divergence, step %1</source>
        <translation>首个偏差，第 %1 步</translation>
    </message>
    <message>
        <source>max |Δ| %1 → %2</source>
        <translation>最大 |Δ| %1 → %2</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>would become one node</source>
        <translation>会成为一个节点</translation>
    </message>
</context>
<context>
    <name>fusescope::GraphCanvas</name>
    <message numerus="yes">
        <source>%n folded node(s)</source>
        <translation>
            <numerusform>%n 个已折叠节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inside a body</source>
        <translation>
            <numerusform>%n 个在内部图中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reader(s)</source>
        <translation>
            <numerusform>%n 个读取者</numerusform>
        </translation>
    </message>
    <message>
        <source>Double-click to close</source>
        <translation>双击关闭</translation>
    </message>
    <message>
        <source>Double-click to open</source>
        <translation>双击打开</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>added at step %1</source>
        <translation>在第 %1 步新增</translation>
    </message>
    <message>
        <source>added, step %1</source>
        <translation>新增，第 %1 步</translation>
    </message>
    <message>
        <source>changed at step %1</source>
        <translation>在第 %1 步变更</translation>
    </message>
    <message>
        <source>changed between step %1 and step %2</source>
        <translation>在第 %1 步与第 %2 步之间变更</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>culprit</source>
        <translation>症结</translation>
    </message>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>gives %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>gone after step %1</source>
        <translation>第 %1 步之后消失</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>made by %1</source>
        <translation>由 %1 生成</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>removed at step %1</source>
        <translation>在第 %1 步移除</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>type not known</source>
        <translation>类型未知</translation>
    </message>
</context>
<context>
    <name>fusescope::GuidedTour</name>
    <message>
        <source>%1 of %2: %3</source>
        <translation>第 %1 / %2 项：%3</translation>
    </message>
    <message>
        <source>Click a row of Blocked: the culprit is ringed in the graph, and the conditions say what they saw.</source>
        <translation>点击“受阻”中的一行：症结会在图中圈出，各条件会说明所见。</translation>
    </message>
    <message>
        <source>Ctrl+E exports the result; the source file is never written. F1 lists all keys.</source>
        <translation>Ctrl+E 导出结果；绝不写源文件。F1 列出全部按键。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>End Tour</source>
        <translation>结束引导</translation>
    </message>
    <message>
        <source>Hold n, or press Ctrl+End, to apply all that follow.</source>
        <translation>按住 n，或按 Ctrl+End，应用其后的全部步骤。</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Press 3 for Overlay: what the step added has a plus, what it removed a minus, what it changed a tilde.</source>
        <translation>按 3 进入叠加：此步新增的带加号，移除的带减号，变更的带波浪号。</translation>
    </message>
    <message>
        <source>Press F9 to run the model before and after on the same inputs.</source>
        <translation>按 F9，用相同输入分别运行优化前后的模型。</translation>
    </message>
    <message>
        <source>This is the model as it stands in its file. Press n, or Right in the Steps tree, to apply the first rewrite.</source>
        <translation>这是文件中原本的模型。按 n，或在步骤树中按 Right，应用第一次改写。</translation>
    </message>
</context>
<context>
    <name>fusescope::HelpView</name>
    <message>
        <source>Help page</source>
        <translation>帮助页</translation>
    </message>
</context>
<context>
    <name>fusescope::Histogram</name>
    <message>
        <source>%1 to %2: %3 values</source>
        <translation>%1 至 %2：%3 个值</translation>
    </message>
    <message>
        <source>Histogram of %1 values from %2 to %3</source>
        <translation>%1 个值的直方图，从 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>fusescope::HistoryPage</name>
    <message>
        <source>%1 %2 in the file</source>
        <translation>文件中有 %1 个 %2</translation>
    </message>
    <message>
        <source>What happened to the selected node</source>
        <translation>所选节点的经历</translation>
    </message>
    <message>
        <source>in the end: %1 %2</source>
        <translation>最后有 %1 个 %2</translation>
    </message>
</context>
<context>
    <name>fusescope::InputsDialog</name>
    <message>
        <source>%1 as %2</source>
        <translation>%1 作为 %2</translation>
    </message>
    <message>
        <source>%1 is no picture that can be read: %2</source>
        <translation>%1 不是可读取的图片：%2</translation>
    </message>
    <message>
        <source>Add File</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Add File…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add Folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add Folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Choose Picture</source>
        <translation>选择图片</translation>
    </message>
    <message>
        <source>Choose Picture…</source>
        <translation>选择图片…</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Each element is (pixel − mean) · scale, pixels from 0 to 255; one number or one a channel.</source>
        <translation>每个元素为 (像素 − 均值) · 缩放，像素为 0 到 255；一个数或每通道一个数。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Folders test_data_set_N, .npz files, or NAME=FILE.npy and NAME=FILE.pb for one input.</source>
        <translation>test_data_set_N 文件夹、.npz 文件，或针对单个输入的 NAME=FILE.npy 与 NAME=FILE.pb。</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Integers from</source>
        <translation>整数从</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>One constant instead of random values</source>
        <translation>用一个常量代替随机值</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.bmp *.gif)</source>
        <translation>图片 (*.png *.jpg *.jpeg *.bmp *.gif)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>This input takes no picture: it must be a float tensor [1, 3 or 1, height, width].</source>
        <translation>此输入不接受图片：它须是浮点张量 [1, 3 或 1, 高, 宽]。</translation>
    </message>
    <message>
        <source>Use These</source>
        <translation>使用这些</translation>
    </message>
    <message>
        <source>Use a test_data_set beside the model</source>
        <translation>使用模型旁的 test_data_set</translation>
    </message>
    <message>
        <source>Values (*.npz *.npy *.pb)</source>
        <translation>值 (*.npz *.npy *.pb)</translation>
    </message>
    <message>
        <source>Values that no file gives</source>
        <translation>没有文件给出的值</translation>
    </message>
    <message>
        <source>assumed %1</source>
        <translation>假定为 %1</translation>
    </message>
    <message>
        <source>assumed when it runs</source>
        <translation>运行时假定</translation>
    </message>
    <message>
        <source>to below</source>
        <translation>到（不含）</translation>
    </message>
</context>
<context>
    <name>fusescope::InspectorPanel</name>
    <message>
        <source>Copy Name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>Explain step %1</source>
        <translation>解释第 %1 步</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Open one, then click a node, an edge or a tensor to read all about it.</source>
        <translation>打开模型后，单击节点、连线或张量即可查看其全部信息。</translation>
    </message>
    <message>
        <source>Pages of the Inspector</source>
        <translation>检查器的各页</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>became %1 %2</source>
        <translation>变成 %1 %2</translation>
    </message>
</context>
<context>
    <name>fusescope::KeyValues</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::LogChart</name>
    <message>
        <source>Largest difference after each tested step; all within the tolerance</source>
        <translation>各个受测步骤之后的最大差值；均在容差之内</translation>
    </message>
    <message>
        <source>Largest difference after each tested step; it passes the tolerance at step %1</source>
        <translation>各个受测步骤之后的最大差值；在第 %1 步超出容差</translation>
    </message>
    <message>
        <source>Step %1: largest difference %2</source>
        <translation>第 %1 步：最大差值 %2</translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation>容差</translation>
    </message>
</context>
<context>
    <name>fusescope::MainWindow</name>
    <message>
        <source> (in part)</source>
        <translation>（部分）</translation>
    </message>
    <message>
        <source>%1 — step %2 of %3%4 — Fusescope</source>
        <translation>%1 — 第 %2 步，共 %3 步%4 — Fusescope</translation>
    </message>
    <message>
        <source>%1 → %2 nodes</source>
        <translation>%1 → %2 个节点</translation>
    </message>
    <message>
        <source>%1 → ? nodes</source>
        <translation>%1 → ? 个节点</translation>
    </message>
    <message>
        <source>%1, %2 as standard operators</source>
        <comment>a number of nodes</comment>
        <translation>%1，按标准算子为 %2 个</translation>
    </message>
    <message>
        <source>%1. </source>
        <comment>a sentence before another</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;High Contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>&amp;Profile beside Compare</source>
        <translation>性能剖析与比较并排(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做 %1</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>步骤(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>撤销 %1</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>A fused node counts as one; exported as standard operators it is the operators that it stands for.</source>
        <translation>一个融合节点计为一个；以标准算子导出时，它是其所代表的各个算子。</translation>
    </message>
    <message>
        <source>A scratch copy to try things in: select a node and change an attribute or an input under What if in the Inspector; Blocked shows at once what that does. Nothing of it is kept.</source>
        <translation>这是用来试验的草稿副本：选中一个节点，在检查器的“假设”下更改属性或输入；“受阻”面板会立即显示结果。这些更改都不会保留。</translation>
    </message>
    <message>
        <source>About Fusescope</source>
        <translation>关于 Fusescope</translation>
    </message>
    <message>
        <source>All Safe Fixes</source>
        <translation>全部安全修复</translation>
    </message>
    <message>
        <source>Apply &amp;Skipped Rewrite Again</source>
        <translation>重新应用已跳过的改写</translation>
    </message>
    <message>
        <source>Before and after agree, %1</source>
        <translation>前后一致，%1</translation>
    </message>
    <message>
        <source>Before and after differ, %1</source>
        <translation>前后不同，%1</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>受阻</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Differs from step %1 on</source>
        <translation>自第 %1 步起不同</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export Inputs and Outputs</source>
        <translation>导出输入与输出</translation>
    </message>
    <message>
        <source>Export Picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>Export Report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find node, tensor, attribute, Conv&gt;Relu</source>
        <translation>查找节点、属性、Conv&gt;Relu</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>HTML (*.html);;Markdown (*.md);;JSON (*.json)</source>
        <translation>HTML (*.html);;Markdown (*.md);;JSON (*.json)</translation>
    </message>
    <message>
        <source>In a terminal, "fusescope --help" lists the commands: optimize, explain, compare, report and more.</source>
        <translation>在终端中，“fusescope --help”列出各命令：optimize、explain、compare、report 等。</translation>
    </message>
    <message>
        <source>Inputs and outputs were written to %1.</source>
        <translation>输入与输出已写到 %1。</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>More steps are coming…</source>
        <translation>还有步骤未到…</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一步：%1</translation>
    </message>
    <message>
        <source>Next: ?</source>
        <translation>下一步：?</translation>
    </message>
    <message>
        <source>No blocked candidate has a fix that keeps meaning and interface.</source>
        <translation>没有受阻的候选具有既保持含义又保持接口的修复。</translation>
    </message>
    <message>
        <source>No blocked row with a fix is open.</source>
        <translation>没有打开带修复的受阻行。</translation>
    </message>
    <message>
        <source>No inputs</source>
        <translation>没有输入</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>No node is selected.</source>
        <translation>没有选中节点。</translation>
    </message>
    <message>
        <source>No pass found anything to rewrite.</source>
        <translation>没有任何遍找到可做的改写。</translation>
    </message>
    <message>
        <source>Nobody reads it</source>
        <translation>无人读取</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
    <message>
        <source>Nothing to export: no model is open.</source>
        <translation>没有可导出的内容：未打开模型。</translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation>没有可重做的操作。</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>没有可撤销的操作。</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx);;All files (*)</source>
        <translation>ONNX 模型 (*.onnx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>One step is shown, not a range.</source>
        <translation>显示的是一个步骤，而不是范围。</translation>
    </message>
    <message>
        <source>Only operators of other domains can have side effects.</source>
        <translation>只有其他域的算子才可能有副作用。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Open Exa&amp;mple</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Open Model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能剖析</translation>
    </message>
    <message>
        <source>Put the layout back</source>
        <translation>恢复布局</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Run &amp; Compare</source>
        <translation>运行并比较</translation>
    </message>
    <message>
        <source>Running for inputs and outputs</source>
        <translation>正在运行以得到输入与输出</translation>
    </message>
    <message>
        <source>Running the passes…</source>
        <translation>正在运行各遍…</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PDF (*.pdf);;PNG (*.png)</source>
        <translation>SVG (*.svg);;PDF (*.pdf);;PNG (*.png)</translation>
    </message>
    <message>
        <source>Scratch Copy</source>
        <translation>草稿副本</translation>
    </message>
    <message>
        <source>See what an optimizer does to an ONNX model, one rewrite at a time, and why it stops.</source>
        <translation>看优化器对 ONNX 模型逐次做了哪些改写，又为何止步。</translation>
    </message>
    <message>
        <source>Show Inspector</source>
        <translation>显示检查器</translation>
    </message>
    <message>
        <source>Show Node</source>
        <translation>显示节点</translation>
    </message>
    <message>
        <source>Show in Folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Skipped by you: %1</source>
        <translation>已由你跳过：%1</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Step %1 → step %2</source>
        <translation>第 %1 步 → 第 %2 步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>The layout was reset.</source>
        <translation>布局已重置。</translation>
    </message>
    <message>
        <source>The picture was written at %1 % of the size asked for, the most a PNG can hold.</source>
        <translation>图片以所要求大小的 %1 % 写出，这是 PNG 所能容纳的上限。</translation>
    </message>
    <message>
        <source>The picture was written to %1.</source>
        <translation>图片已写到 %1。</translation>
    </message>
    <message>
        <source>There is no rewrite at step 0.</source>
        <translation>第 0 步没有改写。</translation>
    </message>
    <message>
        <source>This is the first step.</source>
        <translation>这是第一步。</translation>
    </message>
    <message>
        <source>This is the last step.</source>
        <translation>这是最后一步。</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>Two nodes selected: %1 and %2</source>
        <translation>已选中两个节点：%1 与 %2</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Version and system were copied: paste them into your report, with the model and the steps that lead to the problem.</source>
        <translation>版本与系统信息已复制：请粘贴到您的报告中，并附上模型与导致问题的步骤。</translation>
    </message>
    <message>
        <source>Waiting for the passes to end</source>
        <translation>正在等待各遍结束</translation>
    </message>
    <message>
        <source>Why not fused?</source>
        <translation>为何未融合？</translation>
    </message>
    <message>
        <source>Writing the picture</source>
        <translation>正在写入图片</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>inputs: %1</source>
        <translation>输入：%1</translation>
    </message>
    <message>
        <source>max |Δ| %1</source>
        <translation>最大 |Δ| %1</translation>
    </message>
    <message>
        <source>outputs: %1</source>
        <translation>输出：%1</translation>
    </message>
    <message>
        <source>scratch copy of %1</source>
        <translation>%1 的草稿副本</translation>
    </message>
</context>
<context>
    <name>fusescope::MessagesModel</name>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>fusescope::MessagesPanel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Go to Node</source>
        <translation>转到节点</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>没有消息</translation>
    </message>
    <message>
        <source>What goes wrong, and what was exported, stands here.</source>
        <translation>出错之处与已导出的内容列在这里。</translation>
    </message>
</context>
<context>
    <name>fusescope::NodePage</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reader(s)</source>
        <translation>
            <numerusform>%n 个读取者</numerusform>
        </translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>内部图</translation>
    </message>
    <message>
        <source>Cause found</source>
        <translation>已找到原因</translation>
    </message>
    <message>
        <source>IR version</source>
        <translation>IR 版本</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Inputs with a default</source>
        <translation>有默认值的输入</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>缺省</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>默认 %1</translation>
    </message>
    <message>
        <source>diverges</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>made by</source>
        <translation>生成者</translation>
    </message>
    <message>
        <source>no reader</source>
        <translation>没有读取者</translation>
    </message>
    <message>
        <source>nodes at step %1</source>
        <translation>第 %1 步的节点</translation>
    </message>
    <message>
        <source>nodes in the file</source>
        <translation>文件中的节点</translation>
    </message>
    <message>
        <source>not faster because</source>
        <translation>未更快的原因</translation>
    </message>
    <message>
        <source>not in the standard</source>
        <translation>不在标准中</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>opset</source>
        <translation>opset</translation>
    </message>
    <message>
        <source>output of the graph</source>
        <translation>图的输出</translation>
    </message>
    <message>
        <source>overload</source>
        <translation>重载</translation>
    </message>
    <message>
        <source>producer</source>
        <translation>生成工具</translation>
    </message>
    <message>
        <source>since version</source>
        <translation>起始版本</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message numerus="yes">
        <source>stands for %n operator(s) of the file</source>
        <translation>
            <numerusform>代表文件中的 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>the scratch copy alone changes</source>
        <translation>仅更改草稿副本</translation>
    </message>
</context>
<context>
    <name>fusescope::NoticeBar</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more notices</source>
        <translation>
            <numerusform>还有 %n 条通知</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>fusescope::PassesDialog</name>
    <message>
        <source>All Off</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>All On</source>
        <translation>全部打开</translation>
    </message>
    <message>
        <source>Any runtime</source>
        <translation>任意运行时</translation>
    </message>
    <message>
        <source>Choice of target</source>
        <translation>目标的选择</translation>
    </message>
    <message>
        <source>Dead code</source>
        <translation>死代码</translation>
    </message>
    <message>
        <source>Fixes</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Folding</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Inline</source>
        <translation>内联</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>遍</translation>
    </message>
    <message>
        <source>Target:</source>
        <translation>目标：</translation>
    </message>
    <message>
        <source>The passes run in this order. Switching one off makes the steps anew; it can be undone.</source>
        <translation>各遍按此顺序运行。关闭一遍会重新生成步骤；可以撤销。</translation>
    </message>
    <message>
        <source>Use These</source>
        <translation>使用这些</translation>
    </message>
</context>
<context>
    <name>fusescope::PredictBox</name>
    <message>
        <source>%1 of %2 right.</source>
        <translation>%2 次中猜对 %1 次。</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a sentence</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>A condition fails.</source>
        <translation>有条件不成立。</translation>
    </message>
    <message>
        <source>Blocked: it stays</source>
        <translation>受阻：保持原样</translation>
    </message>
    <message>
        <source>Folded</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Fused or merged</source>
        <translation>融合或合并</translation>
    </message>
    <message>
        <source>Guess: what becomes of %1 %2?</source>
        <translation>猜一猜：%1 %2 会变成什么？</translation>
    </message>
    <message>
        <source>Guess: what happens at step %1?</source>
        <translation>猜一猜：第 %1 步会发生什么？</translation>
    </message>
    <message>
        <source>Inlined</source>
        <translation>内联</translation>
    </message>
    <message>
        <source>It becomes one node with a neighbour, or with its equal.</source>
        <translation>它与相邻节点或相同节点合为一个节点。</translation>
    </message>
    <message>
        <source>It goes: nobody reads it, or it changes nothing.</source>
        <translation>它会消失：无人读取，或不改变任何内容。</translation>
    </message>
    <message>
        <source>It is blocked: %1</source>
        <translation>它受阻：%1</translation>
    </message>
    <message>
        <source>It is computed beforehand: a constant or a neighbour's weights hold it.</source>
        <translation>事先算好：结果存入常量或相邻节点的权重。</translation>
    </message>
    <message>
        <source>Not this time: %1 %2</source>
        <translation>这次没猜中：%1 %2</translation>
    </message>
    <message>
        <source>Nothing is left to guess.</source>
        <translation>没有可猜的了。</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>先猜后看</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Right. %1 %2</source>
        <translation>猜对了。%1 %2</translation>
    </message>
    <message>
        <source>Show without guessing</source>
        <translation>不猜，直接显示</translation>
    </message>
    <message>
        <source>The body of the function takes its place.</source>
        <translation>函数体取代它的位置。</translation>
    </message>
    <message>
        <source>The next step is of your own plan: nothing to guess.</source>
        <translation>下一步来自你自己的方案：无需猜测。</translation>
    </message>
</context>
<context>
    <name>fusescope::ProfilePanel</name>
    <message>
        <source>%1 before, %2 after</source>
        <translation>之前 %1，之后 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Not profiled yet</source>
        <translation>尚未剖析</translation>
    </message>
    <message>
        <source>Press Ctrl+F9 to time %1 unfused and %2 fused.</source>
        <translation>按 Ctrl+F9，分别测量未融合的%1与已融合的%2的用时。</translation>
    </message>
    <message>
        <source>Press Ctrl+F9 to time the model before and after.</source>
        <translation>按 Ctrl+F9，测量模型优化前后的用时。</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能剖析</translation>
    </message>
    <message>
        <source>Times of the nodes</source>
        <translation>各节点用时</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>assumed %1 = %2</source>
        <translation>假定 %1 = %2</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>before, after</source>
        <translation>之前，之后</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>median of %1</source>
        <translation>%1 次的中位数</translation>
    </message>
    <message>
        <source>why?</source>
        <translation>为何？</translation>
    </message>
</context>
<context>
    <name>fusescope::PropertiesDialog</name>
    <message>
        <source>External files</source>
        <translation>外部文件</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>IR version</source>
        <translation>IR 版本</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>模型属性</translation>
    </message>
    <message>
        <source>description</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>has a default</source>
        <translation>有默认值</translation>
    </message>
    <message>
        <source>loaded in</source>
        <translation>载入用时</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>opset</source>
        <translation>opset</translation>
    </message>
    <message>
        <source>producer</source>
        <translation>生成工具</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>fusescope::ReasonsDialog</name>
    <message>
        <source>Filter pages</source>
        <translation>筛选页面</translation>
    </message>
    <message>
        <source>Fixes and more</source>
        <translation>修复及其他</translation>
    </message>
    <message>
        <source>Fusions and Reasons</source>
        <translation>融合与受阻原因</translation>
    </message>
    <message>
        <source>Fusions and other rules</source>
        <translation>融合与其他规则</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>fusescope::RecentRow</name>
    <message numerus="yes">
        <source>%n blocked</source>
        <translation>
            <numerusform>%n 个受阻</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1 from this list</source>
        <translation>从此列表移除 %1</translation>
    </message>
    <message>
        <source>Remove from this list</source>
        <translation>从此列表移除</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>fusescope::Section</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>fusescope::SettingsDialog</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>No animation, whatever the system says</source>
        <translation>不使用动画，无论系统如何设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>The wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Use These</source>
        <translation>使用这些</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>scrolls; with Ctrl it zooms</source>
        <translation>滚动；按 Ctrl 缩放</translation>
    </message>
    <message>
        <source>zooms; with Ctrl it scrolls</source>
        <translation>缩放；按 Ctrl 滚动</translation>
    </message>
</context>
<context>
    <name>fusescope::ShortcutsDialog</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Filter commands and keys</source>
        <translation>筛选命令与按键</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
</context>
<context>
    <name>fusescope::StartPage</name>
    <message>
        <source>All %1</source>
        <translation>全部 %1 个</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Guided tour, 3 minutes</source>
        <translation>新手引导，3 分钟</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>See what an optimizer does to an ONNX model, one rewrite at a time, and why it stops.</source>
        <translation>看优化器对 ONNX 模型逐次做了哪些改写，又为何止步。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>one small model per fusion and per obstacle</source>
        <translation>每种融合与每种障碍各一个小模型</translation>
    </message>
</context>
<context>
    <name>fusescope::StatusProgress</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel (Esc)</source>
        <translation>取消 (Esc)</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>fusescope::StepSlider</name>
    <message>
        <source>Left and Right move B. Shift+Left and Shift+Right move A. Shift+click sets A.</source>
        <translation>Left、Right 键移动 B。Shift+Left、Shift+Right 移动 A。Shift+点击设定 A。</translation>
    </message>
    <message>
        <source>Steps, B at %1 of %2, compared with A at %3</source>
        <translation>步骤，B 位于 %1，共 %2 步，与位于 %3 的 A 比较</translation>
    </message>
    <message>
        <source>Steps, at %1 of %2</source>
        <translation>步骤，位于 %1，共 %2 步</translation>
    </message>
</context>
<context>
    <name>fusescope::StepsModel</name>
    <message numerus="yes">
        <source>%1, %n step(s)</source>
        <translation>
            <numerusform>%1，%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, begun</source>
        <translation>%1，已开始</translation>
    </message>
    <message>
        <source>%1, coming</source>
        <translation>%1，未到</translation>
    </message>
    <message numerus="yes">
        <source>%1, done, %n step(s)</source>
        <translation>
            <numerusform>%1，已完成，%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, round %2</source>
        <translation>%1，第 %2 轮</translation>
    </message>
    <message>
        <source>Blocked: %1</source>
        <translation>受阻：%1</translation>
    </message>
    <message>
        <source>Dead code</source>
        <translation>死代码</translation>
    </message>
    <message>
        <source>Fixes</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Folding</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Inline</source>
        <translation>内联</translation>
    </message>
    <message>
        <source>Step %1, %2, %3</source>
        <translation>第 %1 步，%2，%3</translation>
    </message>
    <message>
        <source>coming</source>
        <translation>未到</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>diverges</source>
        <translation>在此偏离</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>skipped by you</source>
        <translation>已由你跳过</translation>
    </message>
</context>
<context>
    <name>fusescope::StepsPanel</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2–%3</source>
        <translation>%1 %2–%3</translation>
    </message>
    <message>
        <source>%1: added here</source>
        <translation>%1：在此新增</translation>
    </message>
    <message>
        <source>%1: changed here</source>
        <translation>%1：在此变更</translation>
    </message>
    <message>
        <source>%1: not there</source>
        <translation>%1：不存在</translation>
    </message>
    <message>
        <source>%1: present</source>
        <translation>%1：存在</translation>
    </message>
    <message>
        <source>%1: removed here</source>
        <translation>%1：在此移除</translation>
    </message>
    <message numerus="yes">
        <source>%n pass(es) found nothing</source>
        <translation>
            <numerusform>%n 遍没有发现</numerusform>
        </translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Already optimal</source>
        <translation>已无可优化</translation>
    </message>
    <message>
        <source>Apply Again</source>
        <translation>重新应用</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>有变化</translation>
    </message>
    <message>
        <source>Collapse All</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Compare with Step %1</source>
        <translation>与第 %1 步比较</translation>
    </message>
    <message>
        <source>Compared with step %1</source>
        <translation>与第 %1 步比较</translation>
    </message>
    <message>
        <source>Expand All</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Filter steps</source>
        <translation>筛选步骤</translation>
    </message>
    <message>
        <source>Go to Step %1</source>
        <translation>转到第 %1 步</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Hide passes that found nothing</source>
        <translation>隐藏没有发现的遍</translation>
    </message>
    <message>
        <source>No pass found anything to rewrite.</source>
        <translation>没有任何遍找到可做的改写。</translation>
    </message>
    <message>
        <source>No pass found anything to rewrite. Messages says what is wrong with the model.</source>
        <translation>没有任何遍找到可做的改写。模型的问题见“消息”。</translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation>尚无步骤</translation>
    </message>
    <message>
        <source>Nothing to rewrite</source>
        <translation>没有可改写之处</translation>
    </message>
    <message>
        <source>Open a model. Every rewrite then stands here, one a row, and Right and Left walk through them.</source>
        <translation>打开模型后，每次改写各占一行，用 Right、Left 键逐步查看。</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>本遍</translation>
    </message>
    <message>
        <source>Rewrites</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Skip This Rewrite</source>
        <translation>跳过此改写</translation>
    </message>
    <message>
        <source>Skipped by you: %1</source>
        <translation>已由你跳过：%1</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>The model as opened</source>
        <translation>打开时的模型</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1 步</translation>
    </message>
    <message>
        <source>of %1…</source>
        <translation>已有 %1 步…</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>fusescope::SummaryPanel</name>
    <message>
        <source> (sizes assumed)</source>
        <translation>（大小为假定）</translation>
    </message>
    <message>
        <source>Activations written</source>
        <translation>写出的激活</translation>
    </message>
    <message>
        <source>After, %1</source>
        <translation>之后，%1</translation>
    </message>
    <message>
        <source>Before, %1</source>
        <translation>之前，%1</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>浮点运算</translation>
    </message>
    <message>
        <source>Hidden while you predict</source>
        <translation>先猜后看期间隐藏</translation>
    </message>
    <message>
        <source>Initializers</source>
        <translation>初始化器</translation>
    </message>
    <message>
        <source>Memory, as articles promise</source>
        <translation>内存（文献所称）</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes as standard operators</source>
        <translation>按标准算子的节点数</translation>
    </message>
    <message>
        <source>Open a model: its operators and figures before and after stand here.</source>
        <translation>打开模型：其算子与前后的数字显示在此。</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Size, as articles promise</source>
        <translation>大小（文献所称）</translation>
    </message>
    <message>
        <source>Speed, as articles promise</source>
        <translation>速度（文献所称）</translation>
    </message>
    <message>
        <source>Stored constants</source>
        <translation>存储的常量</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>What a step changes stands here once it is shown.</source>
        <translation>步骤显示之后，这里会列出它改变了什么。</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message numerus="yes">
        <source>time, %n thread(s)</source>
        <translation>
            <numerusform>时间，%n 线程</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fusescope::TensorsPage</name>
    <message>
        <source>Histogram of %1</source>
        <translation>%1 的直方图</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN，Inf</translation>
    </message>
    <message>
        <source>first</source>
        <translation>首个</translation>
    </message>
    <message>
        <source>least, most</source>
        <translation>最小，最大</translation>
    </message>
    <message>
        <source>mean ± deviation</source>
        <translation>均值 ± 标准差</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>one element for all</source>
        <translation>所有位置共用一个元素</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>已存储</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零的个数</translation>
    </message>
</context>
<context>
    <name>fusescope::ToleranceDialog</name>
    <message>
        <source>Absolute (atol)</source>
        <translation>绝对容差 (atol)</translation>
    </message>
    <message>
        <source>An element passes if |before − after| ≤ atol + rtol · max |before|, the largest of its tensor. Integers, bools and strings must be equal.</source>
        <translation>若 |之前 − 之后| ≤ atol + rtol · max |之前|（其张量中的最大值），则该元素通过。整数、布尔与字符串须相等。</translation>
    </message>
    <message>
        <source>Own numbers instead of those of the element type</source>
        <translation>用自定的数代替该元素类型的数</translation>
    </message>
    <message>
        <source>Relative (rtol)</source>
        <translation>相对容差 (rtol)</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Use These</source>
        <translation>使用这些</translation>
    </message>
</context>
<context>
    <name>fusescope::WhyPanel</name>
    <message>
        <source>%1 can be done. What is done lies beyond step %2.</source>
        <translation>%1 可以做到。实际做了什么在第 %2 步之后。</translation>
    </message>
    <message>
        <source>%1 can do it; the passes are still running.</source>
        <translation>%1 可以做到；各遍仍在运行。</translation>
    </message>
    <message>
        <source>%1 could do it, but the steps end before.</source>
        <translation>%1 本可做到，但步骤在此之前就结束了。</translation>
    </message>
    <message>
        <source>%1 could have done it, but step %2 took the node before: %3.</source>
        <translation>%1 本可做到，但第 %2 步先取走了该节点：%3。</translation>
    </message>
    <message>
        <source>%1 does it at step %2.</source>
        <translation>%1 在第 %2 步完成它。</translation>
    </message>
    <message>
        <source>%1 would do it at step %2, which is skipped.</source>
        <translation>%1 会在第 %2 步完成它，但该步已跳过。</translation>
    </message>
    <message>
        <source>%1 would fuse it and is off</source>
        <translation>%1 会融合它，但已关闭</translation>
    </message>
    <message>
        <source>All conditions hold</source>
        <translation>所有条件都成立</translation>
    </message>
    <message numerus="yes">
        <source>Blocked: %n of %1 conditions fail</source>
        <translation>
            <numerusform>受阻：%1 项条件中有 %n 项不成立</numerusform>
        </translation>
    </message>
    <message>
        <source>Blocked: its one condition fails</source>
        <translation>受阻：唯一的条件不成立</translation>
    </message>
    <message>
        <source>Fused at step %1</source>
        <translation>已在第 %1 步融合</translation>
    </message>
    <message>
        <source>Guess first</source>
        <translation>请先猜</translation>
    </message>
    <message>
        <source>Legal, but asked not to be done</source>
        <translation>合法，但被要求不做</translation>
    </message>
    <message>
        <source>Legal, but it would not pay</source>
        <translation>合法，但不划算</translation>
    </message>
    <message>
        <source>Looking at the conditions</source>
        <translation>正在检查条件</translation>
    </message>
    <message>
        <source>Looking at the conditions…</source>
        <translation>正在检查条件…</translation>
    </message>
    <message>
        <source>No pattern begins or ends here</source>
        <translation>没有模式以此处为始或终</translation>
    </message>
    <message>
        <source>No pattern covers this pair</source>
        <translation>没有模式涵盖这一对</translation>
    </message>
    <message>
        <source>No rule looks for this operator with these neighbours.</source>
        <translation>没有规则查找这种相邻关系的此算子。</translation>
    </message>
    <message>
        <source>Not yet at step %1: step %2 does it</source>
        <translation>第 %1 步时尚不成立：第 %2 步会完成</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>未选中任何内容</translation>
    </message>
    <message>
        <source>One of them is gone before the other appears.</source>
        <translation>其中一个在另一个出现之前就消失了。</translation>
    </message>
    <message>
        <source>Passes…</source>
        <translation>选择遍…</translation>
    </message>
    <message>
        <source>Select two nodes to ask why they were not fused. Ctrl+click selects the second.</source>
        <translation>选中两个节点可询问为何未融合。Ctrl+点击选中第二个。</translation>
    </message>
    <message>
        <source>Show step %1</source>
        <translation>显示第 %1 步</translation>
    </message>
    <message>
        <source>Switch the pass on in Steps &gt; Passes.</source>
        <translation>在“步骤 &gt; 选择遍”中打开该遍。</translation>
    </message>
    <message>
        <source>Taken away at step %1</source>
        <translation>在第 %1 步被去掉</translation>
    </message>
    <message>
        <source>The answer lies beyond step %1.</source>
        <translation>答案在第 %1 步之后。</translation>
    </message>
    <message>
        <source>They never stand in one graph</source>
        <translation>它们从未在同一个图中</translation>
    </message>
    <message>
        <source>What would unblock it</source>
        <translation>解除办法</translation>
    </message>
    <message>
        <source>Why not fused?</source>
        <translation>为何未融合？</translation>
    </message>
</context>
</TS>
