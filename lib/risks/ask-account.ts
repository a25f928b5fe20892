import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Account } from '../accounts/schemas.ts';
import { judgeFailure } from '../at-most-once/judge-failure.ts';
import { dayMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import type { AccountCheck, AccountFacts } from '../platforms/contract/account-check.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { absent, atMost, either } from '../table/condition.ts';
import { getItem, type Item, updateItem } from '../table/items.ts';
import { askedAccountKey, tokensKey } from '../table/keys.ts';
import { removed, removingUndefined } from '../table/update.ts';
import { codeOf } from '../targets/problem.ts';
import { RiskFinding } from '../targets/risk.ts';
import type { RiskPorts } from './ports.ts';

/** The time for which an answer is remembered, and in which a platform is asked once about an account at most. */
export const rememberedMs = 30 * minuteMs;

/** The last question to a platform about an account, as stored. */
export const AskedAccount = z.object({
  workspaceId: z.string(),
  accountId: z.string(),
  askedAt: z.string(),
  /** The `connectedAt` of the account when it was asked about. An answer says nothing about a later authorization. */
  connectedAt: z.string(),
  /** The facts as JSON text; absent if there was no answer. */
  facts: z.string().optional(),
  /** The reason for which nothing can be published on the account; absent if it has marked the account, which then shows it. */
  failure: RiskFinding.optional(),
});
type AskedAccount = z.infer<typeof AskedAccount>;

/** The answer of a platform about an account. */
type Said =
  | { readonly facts: AccountFacts; readonly failure?: undefined }
  | { readonly failure: RiskFinding; readonly facts?: undefined };

/**
 * The last answer to a question about an account; `undefined` if there is none. One that is not fresh may be a day old: it only tells
 * whether an earlier finding is still true of a post that was changed.
 */
export type Answer = (Said & { readonly isFresh: boolean }) | undefined;

/** The time after which nobody needs the record of a question. */
const keptMs = 2 * dayMs;

/**
 * Returns what the platform says about an account. Asks once within half an hour at most, however many workers and posts want to know:
 * the question is claimed before it is asked. A crash costs the answer of that half hour, never a second call: until its end, the facts
 * of the question before count, but no refusal, and nothing that a former authorization was told.
 * Usually makes one write, because facts are stored only if they differ from the last ones.
 *
 * @param askAgainMs the age of the last question from which the platform is asked again; `undefined`: it is not asked
 */
export async function askAccount(
  ports: RiskPorts,
  check: AccountCheck,
  account: Account,
  askAgainMs: number | undefined,
): Promise<Answer> {
  const { table, now } = ports;
  const key = askedAccountKey(account.workspaceId, account.id);
  const item = await getItem(table, key, { isEventual: true });
  const last = item && AskedAccount.parse(item);
  const ageMs = last === undefined ? Number.POSITIVE_INFINITY : now() - Date.parse(last.askedAt);
  // What a former authorization was told does not count.
  const againMs = last?.connectedAt === account.connectedAt ? askAgainMs : askAgainMs && rememberedMs;
  if (againMs === undefined || ageMs < againMs) return answerOf(last, account, ageMs);
  const askedAt = toTimestamp(now());
  const isOtherAuthorization = last?.connectedAt !== account.connectedAt;
  const claimed = await updateItem(table, key, {
    set: {
      kind: 'askedAccount',
      workspaceId: account.workspaceId,
      accountId: account.id,
      askedAt,
      connectedAt: account.connectedAt,
      failure: removed,
      ...(isOtherAuthorization && { facts: removed }),
      expiresAtSeconds: Math.ceil((now() + keptMs) / secondMs),
    },
    if: {
      [either]: [
        { askedAt: absent },
        { askedAt: atMost(toTimestamp(now() - Math.max(againMs, rememberedMs))) },
      ],
    },
  });
  if (!claimed.written) return answerOf(last, account, Number.POSITIVE_INFINITY);
  const before = AskedAccount.parse(claimed.item);
  const answer = await ask(ports, check, account, factsOf(before));
  // The account itself shows a failure that has marked it, and when that is over.
  const failure = answer?.failure?.isFromPlatform ? answer.failure : undefined;
  const after = { facts: answer?.facts && JSON.stringify(answer.facts), failure };
  if (!isDeepStrictEqual({ facts: before.facts, failure: before.failure }, after))
    await updateItem(table, key, { set: removingUndefined(after), if: { askedAt } });
  return answer && { ...answer, isFresh: true };
}

function answerOf(last: AskedAccount | undefined, account: Account, ageMs: number): Answer {
  if (last === undefined || last.connectedAt !== account.connectedAt) return undefined;
  const isFresh = ageMs < rememberedMs;
  if (last.failure) return { failure: last.failure, isFresh };
  const facts = factsOf(last);
  return facts && { facts, isFresh };
}

const factsOf = ({ facts }: AskedAccount): AccountFacts | undefined =>
  facts === undefined ? undefined : (JSON.parse(facts) as AccountFacts);

/** Asks now. A refused token takes the same path as in publishing: it is renewed or, if that fails too, the account is marked. */
async function ask(
  ports: RiskPorts,
  check: AccountCheck,
  account: Account,
  before: AccountFacts | undefined,
): Promise<Said | undefined> {
  let tokensItem: Item | undefined;
  try {
    const tools = await ports.toolsFor(account.platform);
    tokensItem = await getItem(ports.table, tokensKey(account.workspaceId, account.id));
    const token = await ports.accessToken(account, tokensItem);
    return { facts: await check.ask(account, token, tools, before) };
  } catch (error) {
    if (!(error instanceof PlatformError)) {
      ports.report('a platform was not asked about an account', error);
      return undefined;
    }
    return failureOf(ports, account, tokensItem, error);
  }
}

async function failureOf(
  ports: RiskPorts,
  account: Account,
  tokensItem: Item | undefined,
  error: PlatformError,
): Promise<Said | undefined> {
  const { remedy, isDailyLimit, concerns, message } = error;
  const finding = { code: codeOf(error), message } as const;
  const failure = { ...finding, isFromPlatform: true } as const;
  // Only a limit of posts counts. One of the app, or of requests, says nothing about hours from now.
  if (remedy === 'retry') return isDailyLimit && concerns === 'feature' ? { failure } : undefined;
  if (remedy !== 'reauthorise' && remedy !== 'restricted') return undefined;
  const retries = { failures: 0 };
  const activity = 'checking the account for its next posts';
  const decision = await judgeFailure(ports, { retries, account, tokensItem, activity }, error);
  if (decision.kind !== 'fail') return undefined;
  return { failure: decision.account === undefined ? failure : finding };
}
