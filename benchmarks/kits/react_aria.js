import { parseDate } from "@internationalized/date";
import { createElement as h } from "react";
import * as A from "react-aria-components";
import { createRoot } from "react-dom/client";

const page = [
  h(A.TextField, { defaultValue: "Ann", isRequired: true }, h(A.Label, null, "Name"), h(A.Input), h(A.Text, { slot: "description" }, "As on the card")),
  h(A.SearchField, null, h(A.Label, null, "Find"), h(A.Input), h(A.Button, null, "✕")),
  h(A.NumberField, { defaultValue: 3 }, h(A.Label, null, "Nights"), h(A.Group, null, h(A.Button, { slot: "decrement" }, "-"), h(A.Input), h(A.Button, { slot: "increment" }, "+"))),
  h(A.Select, { defaultSelectedKey: "b" }, h(A.Label, null, "City"), h(A.Button, null, h(A.SelectValue)), h(A.Popover, null, h(A.ListBox, null, h(A.ListBoxItem, { id: "a" }, "Athens"), h(A.ListBoxItem, { id: "b" }, "Bern")))),
  h(A.ComboBox, null, h(A.Label, null, "Team"), h(A.Input), h(A.Button, null, "▼"), h(A.Popover, null, h(A.ListBox, null, h(A.ListBoxItem, null, "One")))),
  h(A.Checkbox, { defaultSelected: true }, "Gift"), h(A.Checkbox, { isIndeterminate: true }, "All"), h(A.Switch, null, "Express"), h(A.ToggleButton, { defaultSelected: true }, "Pin"),
  h(A.RadioGroup, { defaultValue: "card" }, h(A.Label, null, "Pay"), h(A.Radio, { value: "card" }, "Card"), h(A.Radio, { value: "cash", isDisabled: true }, "Cash")),
  h(A.Slider, { defaultValue: 30 }, h(A.Label, null, "Price"), h(A.SliderOutput), h(A.SliderTrack, { style: { width: 200, height: 20 } }, h(A.SliderThumb, { style: { width: 20, height: 20 } }))),
  h(A.Tabs, { defaultSelectedKey: "b" }, h(A.TabList, { "aria-label": "Views" }, h(A.Tab, { id: "a" }, "Mails"), h(A.Tab, { id: "b" }, "Alarms")), h(A.TabPanel, { id: "a" }, "A"), h(A.TabPanel, { id: "b" }, "B")),
  h(A.ListBox, { "aria-label": "Fruit", selectionMode: "multiple", defaultSelectedKeys: ["p"] }, h(A.ListBoxItem, { id: "x" }, "Apple"), h(A.ListBoxItem, { id: "p" }, "Pear")),
  h(A.Menu, { "aria-label": "Actions", selectionMode: "single", defaultSelectedKeys: ["l"] }, h(A.MenuItem, { id: "l" }, "Left"), h(A.MenuItem, { id: "r" }, "Right")),
  h(A.GridList, { "aria-label": "People", selectionMode: "multiple" }, h(A.GridListItem, { textValue: "Ann" }, h(A.Checkbox, { slot: "selection" }), "Ann"), h(A.GridListItem, { textValue: "Bob" }, h(A.Checkbox, { slot: "selection" }), "Bob")),
  h(A.Table, { "aria-label": "Files", selectionMode: "single" }, h(A.TableHeader, null, h(A.Column, { isRowHeader: true, allowsSorting: true }, "Name"), h(A.Column, null, "Size")), h(A.TableBody, null, h(A.Row, null, h(A.Cell, null, "a.txt"), h(A.Cell, null, "4")), h(A.Row, null, h(A.Cell, null, "b.txt"), h(A.Cell, null, "7")))),
  h(A.Tree, { "aria-label": "Places", defaultExpandedKeys: ["e"] }, h(A.TreeItem, { id: "e", textValue: "Europe" }, h(A.TreeItemContent, null, h(A.Button, { slot: "chevron" }, ">"), "Europe"), h(A.TreeItem, { id: "g", textValue: "Greece" }, h(A.TreeItemContent, null, "Greece")))),
  h(A.TagGroup, { onRemove() {} }, h(A.Label, null, "Tags"), h(A.TagList, null, h(A.Tag, { textValue: "Sea" }, "Sea", h(A.Button, { slot: "remove" }, "✕")))),
  h(A.DateField, { defaultValue: parseDate("2026-01-15") }, h(A.Label, null, "Birth"), h(A.DateInput, null, (segment) => h(A.DateSegment, { segment }))),
  h(A.Calendar, { "aria-label": "Day", defaultValue: parseDate("2026-01-15") }, h(A.Button, { slot: "previous" }, "<"), h(A.Heading), h(A.Button, { slot: "next" }, ">"), h(A.CalendarGrid, null, (date) => h(A.CalendarCell, { date }))),
  h(A.Disclosure, { defaultExpanded: true }, h(A.Heading, null, h(A.Button, { slot: "trigger" }, "More")), h(A.DisclosurePanel, null, "Text")),
  h(A.Breadcrumbs, null, h(A.Breadcrumb, null, h(A.Link, { href: "#h" }, "Home")), h(A.Breadcrumb, null, h(A.Link, null, "Here"))), h(A.Toolbar, { "aria-label": "Format" }, h(A.ToggleButton, null, "Bold"), h(A.Button, null, "Copy")),
  h(A.FileTrigger, null, h(A.Button, null, "Choose a file")), h(A.Button, { isDisabled: true }, "Send"), h(A.Link, { onPress() {} }, "Act"),
];
createRoot(document.getElementById("root")).render(h("main", null, ...page));
