// What `git init` and `git clone` create in addition to just-git's files.
import type { ShellFiles } from "../../shell/execution/files.ts";

const EXCLUDE = `\
# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
`;

/** Users write hooks and attributes into these. */
export async function addFolders(gitDir: string, files: ShellFiles) {
  for (const name of ["hooks", "info"]) await files.mkdir(`${gitDir}/${name}`, { recursive: true });
  if (!(await files.exists(`${gitDir}/info/exclude`))) await files.writeFile(`${gitDir}/info/exclude`, EXCLUDE);
}
