#pragma once

#include "ui/panel.h"

#if __has_include("ui/panels/inspector_panel.h")
#include "ui/panels/inspector_panel.h"
#else
namespace fusescope { class InspectorPanel final : public Panel { public: using Panel::Panel; }; }
#endif
#if __has_include("ui/panels/why_panel.h")
#include "ui/panels/why_panel.h"
#else
namespace fusescope { class WhyPanel final : public Panel { public: using Panel::Panel; }; }
#endif
#if __has_include("ui/panels/compare_panel.h")
#include "ui/panels/compare_panel.h"
#else
namespace fusescope { class ComparePanel final : public Panel { public: using Panel::Panel; }; }
#endif
#if __has_include("ui/panels/profile_panel.h")
#include "ui/panels/profile_panel.h"
#else
namespace fusescope { class ProfilePanel final : public Panel { public: using Panel::Panel; }; }
#endif
#if __has_include("ui/panels/summary_panel.h")
#include "ui/panels/summary_panel.h"
#else
namespace fusescope { class SummaryPanel final : public Panel { public: using Panel::Panel; }; }
#endif
