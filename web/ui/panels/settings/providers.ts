/**
 * The saved keys of language models, the servers that the user added, and the models that scheduled runs may use without a
 * question. The dialog that connects a model saves keys and servers.
 */

import { html, nothing } from "lit";
import type { Allowance, Provider, Providers } from "../../companion/types.ts";
import { shown } from "../../consent/text.ts";
import { fullTime, when } from "../../lib/format.ts";
import type { Failure } from "../../state/types.ts";
import type { Attempts } from "./attempts.ts";

interface ProviderCallbacks {
  deleteKey: (provider: string) => Promise<{ deleted: boolean } | Failure>;
  removeServer: (provider: string) => Promise<{ removed: boolean } | Failure>;
  revokeAllowance: (provider: string, model: string) => Promise<{ revoked: boolean } | Failure>;
  onChanged: () => unknown;
}

const ALLOWANCES = "allowances";
const KEY_FROM = { environment: "key from the environment", keyring: "key in the keyring", file: "key in a file" };

export function providersView(
  { keyring, file, providers, allowances }: Providers,
  attempts: Attempts,
  callbacks: ProviderCallbacks,
) {
  const variable = providers.flatMap(({ variables }) => variables)[0] ?? "OPENAI_API_KEY";
  const rows = providers.filter(({ key_from, added, problem }) => key_from !== null || added || problem !== null);
  return html`
    ${
      keyring === null
        ? html`<p id="no-keyring">This computer has no keyring. Keys are saved as plain text in <code>${file}</code>, which only
      you, and the programs that you run, can read. Instead, you can start the companion with a key in an environment variable, such as
      <code>${variable}</code>.</p>`
        : html`<p class="muted">Keys are stored in the keyring of this computer (${keyring}), or come from the
      companion’s environment variables. Pages can’t read them.</p>`
    }
    ${
      rows.length === 0
        ? html`<p class="muted">No keys.</p>`
        : html`<ul class="rows" id="providers" aria-label="Keys and servers">${rows.map((each) => row(each, attempts, callbacks))}</ul>`
    }
    ${
      allowances.length === 0
        ? nothing
        : html`<h4 id="allowances-title">Scheduled runs use these without asking</h4>
      <ul class="rows" id="allowances" aria-labelledby="allowances-title">${allowances.map((each) => allowanceRow(each, attempts, callbacks))}</ul>`
    }
    ${attempts.outcome(ALLOWANCES)}`;
}

function allowanceRow(
  { provider, model, since, day, spent }: Allowance,
  attempts: Attempts,
  { revokeAllowance, onChanged }: ProviderCallbacks,
) {
  const revoke = async () => {
    await attempts.follow(
      ALLOWANCES,
      "…",
      revokeAllowance(provider, model),
      () => "Revoked. Scheduled runs ask again.",
    );
    onChanged();
  };
  return html`<li><span><b>${shown(model)}</b> of ${shown(provider)}: ${
    day.dollars === null
      ? `${spent.tokens.toLocaleString()} of ${day.tokens.toLocaleString()} tokens today`
      : `$${spent.dollars.toFixed(2)} of $${day.dollars.toFixed(2)} today`
  }
      <span class="muted">since <time datetime=${since} title=${fullTime(since)}>${when(since)}</time></span></span>
    ${attempts.button("Revoke", revoke, { of: ALLOWANCES, name: `Revoke: ${model} of ${provider} for scheduled runs` })}</li>`;
}

function row(
  { name, label, base_url, key_from, added, problem }: Provider,
  attempts: Attempts,
  { deleteKey, removeServer, onChanged }: ProviderCallbacks,
) {
  const what = `provider-${name}`;
  const act = async (asked: Promise<object | Failure>, done: string) => {
    await attempts.follow(what, "…", asked, () => done);
    onChanged();
  };
  return html`<li data-provider=${name}><div>
    <b>${label}</b> <span class="chip ${key_from === null ? "" : "busy"}">${key_from === null ? "no key" : KEY_FROM[key_from]}</span>
    <code class="muted">${base_url}</code>
    ${problem === null ? nothing : html`<p class="outcome bad">${problem}</p>`}
    <div class="buttons">
      ${
        key_from === "keyring" || key_from === "file"
          ? attempts.button("Delete key", () => act(deleteKey(name), "Key deleted."), {
              of: what,
              name: `Delete key for ${label}`,
            })
          : nothing
      }
      ${added ? attempts.button("Remove", () => act(removeServer(name), "Removed."), { of: what, name: `Remove ${label}` }) : nothing}
    </div>
    ${attempts.outcome(what)}
  </div></li>`;
}
