import { lackOf } from '../accounts/capabilities.ts';
import { accountProblem, accountProblemCode } from '../accounts/problem.ts';
import type { Account } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import { dayMs, hourMs, toTimestamp } from '../kernel/clock.ts';
import { pauseKeysOf } from '../pauses/read.ts';
import type { Pause } from '../pauses/schemas.ts';
import { pausedText } from '../pauses/scope.ts';
import type { PublishableContent } from '../platforms/contract/rules.ts';
import { featureProblems, requestField } from '../posts/planning/check-rules.ts';
import { checkAccountLimits } from '../posts/planning/limited-accounts.ts';
import type { Post } from '../posts/stored/schemas.ts';
import { describeContent } from '../publishing/load-job.ts';
import { requirePlace } from '../publishing/require-place.ts';
import type { FoundItems } from '../table/found-items.ts';
import { accountKey, type Key, mediaKey } from '../table/keys.ts';
import { codeOf, OwnFailure } from '../targets/problem.ts';
import type { RiskFinding } from '../targets/risk.ts';
import type { Target } from '../targets/schemas.ts';
import type { RiskPorts } from './ports.ts';

/** A waiting target with the stored items that it refers to. */
export interface CheckedTarget {
  readonly target: Target;
  readonly post: Post;
  readonly account: Account | undefined;
  readonly items: FoundItems;
  /** The pauses of the stage, by the partitions of their keys. */
  readonly pauses: ReadonlyMap<string, Pause>;
}

/** The findings about a target that need no call to its platform. */
export interface OwnFindings {
  readonly findings: readonly RiskFinding[];
  /** The target's content as far as it is known, for the platform's judgement; `undefined` if the account cannot be used at all. */
  readonly content: PublishableContent | undefined;
}

/** The time ahead for which a pause is a risk. Nobody knows whether it lasts longer. Its end has these posts checked again. */
export const pausedAheadMs = dayMs + hourMs;

/** Checks a waiting target by what is stored, with the code that publishing will use. Writes nothing. */
export async function ownFindings(ports: RiskPorts, checked: CheckedTarget): Promise<OwnFindings> {
  const { target, account, pauses } = checked;
  const pause = pauseKeysOf(target)
    .map(({ pk }) => pauses.get(pk))
    .find((each) => each !== undefined);
  const { scheduledFor = '' } = target;
  const isNear = scheduledFor < toTimestamp(ports.now() + pausedAheadMs);
  const paused: RiskFinding[] = pause && isNear ? [{ code: 'paused', message: pausedText(pause) }] : [];
  const problem = accountProblem(account);
  if (!account || problem !== undefined) {
    const message = problem ?? 'the account was deleted';
    return { findings: [...paused, { code: accountProblemCode(account), message }], content: undefined };
  }
  const ofAccount = accountFindings(ports, account, target);
  const ofContent = await contentFindings(ports, { ...checked, account });
  const ofLimits = await limitFindings(ports, checked);
  return {
    findings: [...paused, ...ofAccount, ...ofContent.findings, ...ofLimits],
    content: ofContent.content,
  };
}

function accountFindings(
  { stageFeatures }: RiskPorts,
  account: Account,
  { scheduledFor = '' }: Target,
): RiskFinding[] {
  const findings: RiskFinding[] = [];
  const { status, statusMessage, reconnectBy } = account;
  if (status === 'error') {
    const reason = statusMessage ?? 'no reason was given';
    const message = `the platform restricts what the account may do (${reason})`;
    findings.push({ code: 'account_restricted', message });
  }
  if (reconnectBy !== undefined && reconnectBy <= scheduledFor) {
    const message = `the account's access ends at ${reconnectBy}, before this post is due: connect it again`;
    findings.push({ code: 'account_expired', message });
  }
  const lack = lackOf(account, 'publish', stageFeatures);
  if (lack !== undefined) findings.push({ code: 'permission_missing', message: `the account ${lack}` });
  return findings;
}

async function contentFindings(
  ports: RiskPorts,
  { target, post, account, items }: CheckedTarget & { readonly account: Account },
): Promise<OwnFindings> {
  const unknownFiles = { content: target.content ?? post.content, media: [], options: target.options };
  try {
    const described = await describeContent(ports, { target, post, account }, items);
    // A file may still arrive.
    if ('kind' in described) return { findings: [], content: unknownFiles };
    const { rules, adapted } = described;
    const { content } = adapted;
    const place = (field: string) =>
      requestField(field, `platforms[${target.position}]`, {
        hasContent: target.content !== undefined,
        hasMedia: target.mediaItems !== undefined,
      });
    // Publishing does not check again what it has begun to prepare.
    const problems = target.preparation === undefined ? (rules?.check(content) ?? []) : [];
    const lacks = rules ? featureProblems(rules.options, content.options, account, ports.stageFeatures) : [];
    return {
      findings: [
        ...problems.map(({ field, message }): RiskFinding => {
          const param = place(field);
          return { code: 'content_invalid', message: `${param}: ${message}`, param };
        }),
        ...lacks.map(({ field, message }): RiskFinding => {
          const param = place(field);
          return { code: 'permission_missing', message: `${param}: ${message}`, param };
        }),
      ],
      content,
    };
  } catch (error) {
    // A retry may help, such as while a file is being restored.
    if (!(error instanceof OwnFailure)) throw error;
    const findings = error.remedy === 'rejected' ? [findingOf(error)] : [];
    return { findings, content: unknownFiles };
  }
}

/** Messages about files begin with the field. */
const fieldAtStart = /^((?:mediaItems|coverUrl|platforms)[\w.[\]]*?)(?:\.(?:url|type))?: /;

function findingOf(error: OwnFailure): RiskFinding {
  const param = fieldAtStart.exec(error.message)?.[1];
  return { code: codeOf(error), message: error.message, ...(param !== undefined && { param }) };
}

async function limitFindings(ports: RiskPorts, { target, post }: CheckedTarget): Promise<RiskFinding[]> {
  const warnings = await checkAccountLimits(ports, [target]);
  const findings = warnings.map(
    ({ message, field }): RiskFinding => ({ code: 'quota_exhausted', message, param: field }),
  );
  try {
    await requirePlace(ports, { target, post });
  } catch (error) {
    if (!(error instanceof OwnFailure)) throw error;
    findings.push({ code: codeOf(error), message: error.message });
  }
  return findings;
}

/** Returns the keys of the accounts and files of a post's waiting chain steps. */
export function chainKeysOf({ workspaceId, chain = [] }: Post): Key[] {
  return chain
    .filter(({ status }) => status === 'waiting')
    .flatMap(({ accountIds, mediaItems = [] }) => [
      ...accountIds.map((id) => accountKey(workspaceId, id)),
      ...mediaItems.map(({ mediaId }) => mediaKey(workspaceId, mediaId)),
    ]);
}

/** Checks the accounts and files of a post's waiting chain steps. */
export function chainFindings({ workspaceId, chain = [] }: Post, items: FoundItems): RiskFinding[] {
  return chain.flatMap((step, index) => {
    if (step.status !== 'waiting') return [];
    const ofAccounts = step.accountIds.flatMap((id, place): RiskFinding[] => {
      const item = items.get(accountKey(workspaceId, id));
      const account = item && accountFromItem(item);
      const problem = accountProblem(account);
      if (problem === undefined) return [];
      const param = `chain[${index}].accountIds[${place}]`;
      return [{ code: accountProblemCode(account), message: `${param}: ${problem}`, param }];
    });
    const ofFiles = (step.mediaItems ?? []).flatMap(({ mediaId }, place): RiskFinding[] => {
      const item = items.get(mediaKey(workspaceId, mediaId));
      const param = `chain[${index}].mediaItems[${place}]`;
      if (item === undefined)
        return [{ code: 'media_missing', message: `${param}: the file was deleted`, param }];
      if (item['status'] !== 'invalid') return [];
      const reason = String(item['statusMessage'] ?? 'it is invalid');
      return [{ code: 'media_invalid', message: `${param}: the file cannot be used: ${reason}`, param }];
    });
    return [...ofAccounts, ...ofFiles];
  });
}
