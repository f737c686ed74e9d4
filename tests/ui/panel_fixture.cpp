#include "panel_fixture.h"

#include "ui/theme/theme.h"

#include <QDir>
#include <QLabel>
#include <QPixmap>

#include <algorithm>

namespace fusescope::test {

std::string_view networkText()
{
    return R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 3, 8, 8] x) => (float[N, 4, 8, 8] y)
<float[4, 3, 3, 3] W = random(1), float[4] gamma = {1.5, 0.5, 2.0, 1.0},
 float[4] beta = {0.1, -0.2, 0.3, 0.4}, float[4] mean = {0.01, -0.02, 0.03, 0.04},
 float[4] var = {1.0, 0.25, 4.0, 0.5}>
{
    [conv] c = Conv <pads = [1, 1, 1, 1]> (x, W)
    [bn] b = BatchNormalization <epsilon = 0.001> (c, gamma, beta, mean, var)
    [relu] y = Relu (b)
}
)";
}

void picture(QWidget& widget, const QString& name)
{
    const QString folder = qEnvironmentVariable("FUSESCOPE_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

bool tells(const QWidget& panel, const QString& words)
{
    const auto labels = panel.findChildren<QLabel*>();
    return std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->text().contains(words); });
}

void PanelFixture::installTheme()
{
    theme().install();
    theme().setChoice(ThemeChoice::light);
}

bool PanelFixture::openNetwork()
{
    m_state = std::make_unique<AppState>();
    m_actions = std::make_unique<Actions>(nullptr);
    m_state->open(modelFile(networkText(), m_folder.path(), QStringLiteral("net.onnx")));
    return waitForPasses(*m_state);
}

} // namespace fusescope::test
