/** The Problems panel. Its tab has the number of problems. */

import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Workbench } from "../../workbench/workbench.ts";
import type { Problems } from "../editor/file_problems.ts";

const ID = "problems";
const TITLE = "Problems";

export function showProblems(problems: Problems, workbench: Workbench) {
  let named = TITLE;
  const name = () => workbench.dock.name(ID, named, named, "");
  const lazy = new LazyView({
    id: ID,
    create(part: typeof import("./main.ts")) {
      problems.checkAll();
      return new part.ProblemsView(problems);
    },
    again: (view) => view.draw(),
  });
  problems.onChange = () => {
    const count = problems.list().reduce((sum, file) => sum + file.problems.length, 0);
    const title = count === 0 ? TITLE : `${TITLE} ${count}`;
    if (title !== named) {
      named = title;
      name();
    }
    void lazy.created?.then((view) => view.draw());
  };
  workbench.onArranged(name);
}
