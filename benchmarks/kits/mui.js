import * as M from "@mui/material";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";

const labelled = (label, control) => h(M.FormControlLabel, { label, control });
const page = [
  h(M.AppBar, { position: "static" }, h(M.Toolbar, null, h(M.IconButton, { "aria-label": "menu" }, "≡"), h(M.Typography, { variant: "h6" }, "Shop"))),
  h(M.TextField, { label: "Name", defaultValue: "Ann", required: true }),
  h(M.TextField, { label: "Notes", multiline: true, rows: 2, helperText: "In a line" }),
  h(M.TextField, { label: "City", select: true, defaultValue: "b" }, h(M.MenuItem, { value: "a" }, "Athens"), h(M.MenuItem, { value: "b" }, "Bern")),
  h(M.Autocomplete, { options: ["One", "Two"], open: true, disablePortal: true, defaultValue: "Two", renderInput: (params) => h(M.TextField, { ...params, label: "Team" }) }),
  h(M.Box, { sx: { height: 120 } }),
  labelled("Gift", h(M.Checkbox, { defaultChecked: true })), labelled("All", h(M.Checkbox, { indeterminate: true })), labelled("Express", h(M.Switch)),
  h(M.FormControl, null, h(M.FormLabel, { id: "pay" }, "Pay"), h(M.RadioGroup, { "aria-labelledby": "pay", defaultValue: "card", name: "pay" }, h(M.FormControlLabel, { value: "card", label: "Card", control: h(M.Radio) }), h(M.FormControlLabel, { value: "cash", label: "Cash", control: h(M.Radio) }))),
  h(M.Slider, { "aria-label": "Price", defaultValue: 30, valueLabelDisplay: "on" }), h(M.Slider, { defaultValue: [20, 40], getAriaLabel: (i) => (i ? "Most" : "Least") }), h(M.Rating, { defaultValue: 3, name: "stars" }),
  h(M.Tabs, { value: 1 }, h(M.Tab, { label: "Mails" }), h(M.Tab, { label: "Alarms" })),
  h(M.ToggleButtonGroup, { value: "l", exclusive: true, "aria-label": "Align" }, h(M.ToggleButton, { value: "l" }, "Left"), h(M.ToggleButton, { value: "r" }, "Right")),
  h(M.Accordion, { defaultExpanded: true }, h(M.AccordionSummary, null, "Terms"), h(M.AccordionDetails, null, "Text")), h(M.Accordion, null, h(M.AccordionSummary, null, "Help"), h(M.AccordionDetails, null, "Text")),
  h(M.List, { component: "nav" }, h(M.ListItemButton, { selected: true }, h(M.ListItemText, { primary: "Inbox", secondary: "4 new" })), h(M.ListItemButton, { component: "a", href: "#d" }, h(M.ListItemText, { primary: "Drafts" }))),
  h(M.MenuList, null, h(M.MenuItem, null, "Cut", h(M.Typography, null, "Ctrl+X")), h(M.MenuItem, { disabled: true }, "Paste")),
  h(M.Button, { variant: "contained" }, "Save"), h(M.Button, { disabled: true }, "Send"), h(M.Button, { href: "#x" }, "Link"), h(M.Fab, { "aria-label": "add" }, "+"), h(M.Chip, { label: "Sea", onDelete() {} }), h(M.Chip, { label: "All", onClick() {} }),
  h(M.Pagination, { count: 5, page: 2 }), h(M.Breadcrumbs, null, h(M.Link, { href: "#h" }, "Home"), h(M.Typography, null, "Shop")), h(M.Stepper, { nonLinear: true, activeStep: 0 }, h(M.Step, { key: 1 }, h(M.StepButton, null, "One")), h(M.Step, { key: 2 }, h(M.StepButton, null, "Two"))),
  h(M.Table, null, h(M.TableHead, null, h(M.TableRow, null, h(M.TableCell, null, h(M.TableSortLabel, { active: true }, "Name")), h(M.TableCell, null, "Age"))), h(M.TableBody, null, h(M.TableRow, null, h(M.TableCell, null, "Ann"), h(M.TableCell, null, "41")))),
  h(M.Alert, { onClose() {} }, "Saved"), h(M.Tooltip, { title: "Delete" }, h(M.IconButton, null, "✕")), h(M.BottomNavigation, { showLabels: true, value: 0 }, h(M.BottomNavigationAction, { label: "Recents" }), h(M.BottomNavigationAction, { label: "Nearby" })),
];
createRoot(document.getElementById("root")).render(h("main", null, ...page));
