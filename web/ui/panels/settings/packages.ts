/** The lock file in which pip looks first. Python stores and validates it; a form shows and changes it. */

import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import { addressForm } from "./address_form.ts";
import { showPythonForm } from "./python_form.ts";

const OWN = "Saved. pip install uses Pyodide’s own.";

export function showPackageList(store: Store, actions: Actions) {
  showPythonForm(store, {
    id: "settings-packages",
    save: (changed: { address?: string }) => actions.packageList(changed),
    view: ({ address: saved }, outcome, change) =>
      addressForm({
        id: "settings-package-list",
        section: "settings-packages",
        label: "Lock file",
        placeholder: "Pyodide’s own",
        button: "Save lock file",
        value: saved ?? "",
        outcome,
        save: (address) => change({ address }, address.trim() ? "Saved. pip install looks there first." : OWN),
      }),
  });
}
