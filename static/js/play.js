// The play page. Each behaviour stands in a file of its own; the server draws everything that is read.

import "./follow.js";
import "./news.js";
import "./composer.js";
import "./commands.js";
import "./messages.js";
import "./edits.js";
import "./keys.js";
import "./moves.js";
import "./ask.js";
import "./swipe.js";
import "./folds.js";
import "./panels.js";
