// Everything here is a convenience: each page reads and works without it.
import "htmx.org";
import { defineCopyButton } from "./copy";
import { followLineLinks } from "./lines";
import { closeMenus } from "./menu";
import { submitOnChange } from "./pickers";
import { switchTheme } from "./theme";

defineCopyButton();
followLineLinks();
closeMenus();
submitOnChange();
switchTheme();
