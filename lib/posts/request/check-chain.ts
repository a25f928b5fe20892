import type { FieldProblem, Report } from '../../kernel/errors.ts';
import type { RequestedMediaItem, RequestedReference } from '../../media/schemas.ts';
import type { StoredChainStep } from '../stored/chain-schemas.ts';
import type { ChainStep } from './schemas.ts';

/** A step before the records of its files were read. */
export type RequestedChainStep = Omit<StoredChainStep, 'mediaItems'> & {
  readonly mediaItems?: readonly RequestedReference[] | undefined;
};

/**
 * Checks the steps of a request without reading anything stored.
 *
 * @param resolve returns the reference behind a public URL of this workspace; reports any other URL under the field
 * @returns the steps in their stored form
 */
export function checkChain(
  chain: readonly ChainStep[],
  resolve: (item: RequestedMediaItem, field: string) => RequestedReference[],
  report: Report,
): RequestedChainStep[] {
  return chain.map((step, index) => {
    const at = `chain[${index}]`;
    const { kind, accountIds, afterMinutes = 0, content, mediaItems, options = {} } = step;
    checkContent(step, at, report);
    for (const [place, accountId] of accountIds.entries()) {
      if (accountIds.indexOf(accountId) < place)
        report(`${at}.accountIds[${place}]`, 'field_duplicate', 'is named twice');
    }
    for (const [accountId, { thread }] of Object.entries(options)) {
      if (!accountIds.includes(accountId)) {
        report(`${at}.options.${accountId}`, 'field_unknown', "is not one of the step's accounts");
      }
      const isThread = Array.isArray(thread) && thread.length > 0;
      if (isThread) report(`${at}.options.${accountId}.thread`, 'option_not_applicable', threadUnwanted);
    }
    const files = mediaItems?.flatMap((item, place) => resolve(item, `${at}.mediaItems[${place}].url`));
    return {
      kind,
      accountIds,
      afterMinutes,
      ...(content && { content }),
      ...(files && files.length > 0 && { mediaItems: files }),
      options: JSON.stringify(options),
      status: 'waiting',
    };
  });
}

const threadUnwanted = 'is not for a step of a chain: schedule a post with the thread';

/**
 * Reports problems with a step's content. If a crossPost's own content were accepted and ignored, the published post would differ
 * from the request.
 */
function checkContent({ kind, content, mediaItems = [] }: ChainStep, at: string, report: Report): void {
  const unwanted = "a crossPost uses the post's own; leave it out";
  if (kind === 'followUp' && !content && mediaItems.length === 0)
    report(`${at}.content`, 'field_required', 'a followUp needs content or media');
  if (kind === 'crossPost' && content) report(`${at}.content`, 'contradictory_fields', unwanted);
  if (kind === 'crossPost' && mediaItems.length > 0)
    report(`${at}.mediaItems`, 'contradictory_fields', unwanted);
}

/** The fields that determine where a post's text goes. */
interface Destined {
  readonly platforms?: readonly { readonly accountId: string }[] | undefined;
  readonly chain: readonly Pick<ChainStep, 'kind' | 'accountIds'>[];
}

/**
 * Returns the accounts that would get the same text twice: a crossPost repeats the post on a destination of the post, or on an
 * account where an earlier crossPost has published it. Other text on the same account needs a followUp. Pure.
 *
 * @param accepted accounts that the stored post repeats already: an earlier release accepted it with them
 */
export function repeatedAccounts(
  { platforms = [], chain }: Destined,
  accepted: ReadonlySet<string> = new Set(),
): (Required<FieldProblem> & { readonly accountId: string })[] {
  const targeted = new Set(platforms.map(({ accountId }) => accountId));
  const crossed = new Map<string, number>();
  return chain.flatMap(({ kind, accountIds }, index) => {
    if (kind !== 'crossPost') return [];
    return accountIds.flatMap((accountId, place) => {
      const earlier = crossed.get(accountId) ?? index;
      crossed.set(accountId, earlier);
      const where = targeted.has(accountId)
        ? 'a destination of the post'
        : earlier < index
          ? `an account of chain[${earlier}]`
          : undefined;
      if (where === undefined || accepted.has(accountId)) return [];
      return {
        field: `chain[${index}].accountIds[${place}]`,
        code: 'field_duplicate' as const,
        message: `is ${where} already, and would get the same text twice; use a followUp for another text`,
        accountId,
      };
    });
  });
}
