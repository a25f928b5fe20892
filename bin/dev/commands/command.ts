/** Types and helpers that the commands for a running local run share. */

export interface DevCommand {
  /** Shown with `--help`; ends with a line break. */
  readonly help: string;
  /**
   * @param words the arguments after the command's name
   * @throws UsageError if they are wrong, or another Error if the command cannot be carried out
   */
  readonly run: (words: readonly string[]) => Promise<void>;
}

/** An error for wrong words of a command. The message says what is expected. */
export class UsageError extends Error {}

/**
 * Sends a request to a control address of the local run.
 *
 * @param body sent as JSON; absent: no body
 * @returns the parsed answer
 * @throws Error with the address's own message if it refuses
 */
export async function callControl(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { error } = answer as { readonly error?: unknown };
  throw new UsageError(typeof error === 'string' ? error : `${url} answered ${response.status}`);
}
