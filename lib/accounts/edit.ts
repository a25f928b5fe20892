import { unknownKeys } from '../api-contract/unknown-keys.ts';
import { auditPart } from '../audit/record.ts';
import { invalidFields, notFound } from '../kernel/errors.ts';
import type { Json } from '../kernel/json.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { optionField, type RulesFor } from '../platforms/contract/rules.ts';
import { checkOptions } from '../platforms/shared/options.ts';
import { absent } from '../table/condition.ts';
import { accountKey } from '../table/keys.ts';
import { transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import type { EditAccountBody } from './operations.ts';
import { type AccountsContext, getAccount } from './read.ts';
import { type AccountView, accountSubject, toAccountView } from './schemas.ts';

interface EditContext extends AccountsContext {
  readonly rulesFor: RulesFor;
}

/**
 * Changes the given fields of an account.
 *
 * @throws HeraldError `not_found` as `getAccount`; `invalid` if the platform has no such option, or not with this value
 */
export async function editAccount(
  context: EditContext,
  accountId: string,
  { defaultOptions }: EditAccountBody,
): Promise<AccountView> {
  const { table, workspaceId, stageFeatures } = context;
  const { defaultOptions: former, ...account } = await getAccount(context, accountId);
  if (defaultOptions === undefined)
    return toAccountView({ ...account, ...(former && { defaultOptions: former }) }, stageFeatures);
  if (defaultOptions) await requireOptions(context, account.platform, defaultOptions);
  const isSet = defaultOptions !== null && Object.keys(defaultOptions).length > 0;
  const outcome = await transact(table, [
    updatePart(table, accountKey(workspaceId, account.id), {
      set: { defaultOptions: isSet ? JSON.stringify(defaultOptions) : removed },
      if: { connectedAt: account.connectedAt, disconnectedAt: absent },
    }),
    auditPart(context, accountSubject(account)),
  ]);
  if (!outcome.committed) throw notFound('account');
  return toAccountView({ ...account, ...(isSet && { defaultOptions }) }, stageFeatures);
}

/** @throws HeraldError `invalid` with every option that the platform does not have, or not with this value */
async function requireOptions(
  { rulesFor }: EditContext,
  platform: Platform,
  options: Readonly<Record<string, Json>>,
): Promise<void> {
  const rules = await rulesFor(platform);
  if (!rules) return;
  const { schema } = rules.options;
  const unknown = unknownKeys(schema, options).map(({ path, nearest }) => ({
    field: optionField(path),
    message: `is not an option of ${platform}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  }));
  // An option that every post needs may be left to each post.
  const wrong = checkOptions(schema, options).problems.filter(({ code }) => code !== 'option_required');
  const problems = [...unknown, ...wrong].map(({ field, message }) => ({
    field: field.replace('platformSpecificData', 'defaultOptions'),
    message,
  }));
  if (problems.length > 0) throw invalidFields(problems);
}
