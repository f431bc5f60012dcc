// The page of the worldlines. Each behaviour stands in a file of its own; the server draws the picture.

import "./ask.js";
import "./pan.js";
import "./stations.js";
