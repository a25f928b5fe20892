import { accountFromItem } from '../../accounts/store.ts';
import { type FieldProblem, invalidField, invalidFields } from '../../kernel/errors.ts';
import { dayIn } from '../../kernel/time-zone.ts';
import { snippetFromItem } from '../../snippets/store.ts';
import { appended, type BuiltInVariable, variablesOf, withValues } from '../../snippets/variables.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { accountKey, snippetKey } from '../../table/keys.ts';
import type { PostDraft } from './check-shape.ts';

/**
 * Returns a draft whose text has the saved texts of its request at its end.
 *
 * @param found the items to which the request refers
 * @param maxCharacters the most characters of a post's text
 * @throws HeraldError `snippet_unknown`, `field_required` for a variable without a value, `field_unknown` for one that the text does
 *   not have, or `field_too_long`, naming the field
 */
export async function withSnippets(
  { workspaceId, now }: { readonly workspaceId: string; readonly now: number },
  draft: PostDraft,
  found: FoundItems,
  maxCharacters: number,
): Promise<PostDraft> {
  const { snippets, ...body } = draft.body;
  if (!snippets || snippets.length === 0) return draft;
  const builtIn = await builtInValues(workspaceId, now, draft, found);
  const problems: FieldProblem[] = [];
  const texts = snippets.map(({ id, variables = {} }, index) => {
    const at = `snippets[${index}]`;
    const item = found.get(snippetKey(workspaceId, id));
    if (!item) {
      problems.push({ field: `${at}.id`, code: 'snippet_unknown', message: 'no such saved text' });
      return '';
    }
    const { content } = snippetFromItem(item);
    const names = variablesOf(content);
    const values = new Map([...Object.entries(builtIn), ...Object.entries(variables)]);
    for (const name of names) {
      const message = lacking.get(name) ?? 'is required: the saved text has this variable';
      if (!values.has(name))
        problems.push({ field: `${at}.variables.${name}`, code: 'field_required', message });
    }
    for (const name of Object.keys(variables))
      if (!names.includes(name))
        problems.push({
          field: `${at}.variables.${name}`,
          code: 'field_unknown',
          message: 'is not a variable of the saved text',
        });
    return withValues(content, values);
  });
  if (problems.length > 0) throw invalidFields(problems);
  const content = appended(body.content, texts);
  if (content.length > maxCharacters)
    throw invalidField(
      'content',
      `has ${content.length} characters with its saved texts; at most ${maxCharacters} are allowed`,
      'field_too_long',
    );
  return { ...draft, body: { ...body, content } };
}

/** Messages about built-in variables that have no value for a post. */
const lacking: ReadonlyMap<string, string> = new Map<BuiltInVariable, string>([
  ['account', 'is required: the post does not have exactly one destination with a name'],
  ['date', 'is required: the slot of the post is not known yet'],
]);

async function builtInValues(
  workspaceId: string,
  now: number,
  { destinations, dueMs, isAuto, body }: PostDraft,
  found: FoundItems,
): Promise<Partial<Record<BuiltInVariable, string>>> {
  const [only, ...others] = destinations;
  const item =
    only && others.length === 0 ? found.get(accountKey(workspaceId, only.entry.accountId)) : undefined;
  const { displayName, username } = item ? accountFromItem(item) : { displayName: null, username: null };
  const account = displayName ?? username;
  return {
    ...(account !== null && { account }),
    ...(!isAuto && { date: dayIn(body.timezone, dueMs ?? now) }),
  };
}
