import "@fluentui/web-components/web-components-all.js";
