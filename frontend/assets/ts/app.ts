// Everything here is a convenience: each page reads and works without it.
import "htmx.org";
import { defineCopyButton } from "./copy";
import { defineEditor } from "./editor";
import { followLineLinks } from "./lines";
import { closeMenus } from "./menu";
import { definePasskey } from "./passkeys";
import { submitOnChange } from "./pickers";
import { showOpenTabs } from "./tabs";
import { focusSearch } from "./search";
import { switchTheme } from "./theme";

defineCopyButton();
defineEditor();
definePasskey();
followLineLinks();
closeMenus();
submitOnChange();
focusSearch();
showOpenTabs();
switchTheme();
