import { reasonAgainstBeyondDrafts } from '../../access/may.ts';
import type { Context } from '../../api-contract/context.ts';
import { recordRefusal } from '../../audit/record.ts';
import { HeraldError } from '../../kernel/errors.ts';

/**
 * Refuses a key that may only draft. Call it before anything is done to a post that is no draft, or no longer one afterwards. The
 * audit log records the refusal.
 *
 * @throws HeraldError `permission_missing`, naming `publish`
 */
export async function requireBeyondDrafts(context: Context): Promise<void> {
  const reason = reasonAgainstBeyondDrafts(context.actor, context.verb);
  if (reason === undefined) return;
  const message = `${reason.message}, so it may only create, change and delete drafts, which may have a time for a person to confirm`;
  await recordRefusal(context, reason.message);
  throw new HeraldError(reason.code, message);
}
