import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { type OutcomeCategory, type OutcomeCode, outcomeCodes } from './outcome-codes.ts';
import { ErrorCategory } from './problem.ts';
import type { PostStatus } from './state.ts';

const codes = Object.keys(outcomeCodes) as [OutcomeCode, ...OutcomeCode[]];

/** A lasting reason for which a waiting target will probably fail or be late, as stored. */
export const RiskFinding = z.object({
  // During a deployment, a newer release may have stored a code that this one does not know.
  code: z.enum(codes).catch('unknown'),
  message: z.string(),
  /** The field of the request that it is about. */
  param: z.string().optional(),
  /** True if the platform has said so. A check that gets no answer from the platform keeps it. */
  isFromPlatform: z.literal(true).exactOptional(),
});
export type RiskFinding = z.infer<typeof RiskFinding>;

/** The findings of checks of a waiting target ahead of its time, as stored. Absent: none. */
export const StoredRisk = z.object({
  /** The time since which there has been any finding. */
  since: z.string(),
  /** The time of the check that led to these findings. */
  checkedAt: z.string(),
  findings: z.array(RiskFinding),
});
export type StoredRisk = z.infer<typeof StoredRisk>;

const actors = ['author', 'account_owner', 'operator'] as const;
type RiskActor = (typeof actors)[number];

/** The risk in the API's form. */
export const Risk = z
  .object({
    since: Timestamp.meta({ description: 'Since when there has been a finding' }),
    checkedAt: Timestamp.meta({ description: 'When the destination was last checked and these were found' }),
    findings: z
      .array(
        z.object({
          code: z.string().meta({
            description: 'The code that `errorDetail` would have if the destination failed for this reason',
          }),
          category: ErrorCategory,
          message: z.string(),
          param: z
            .string()
            .nullable()
            .meta({ description: 'The field of the request, such as `mediaItems[0]`; null if it is none' }),
          by: z.enum(actors).meta({
            description:
              'Who can act. `author`: whoever changes the post. `account_owner`: whoever connects the account, or its owner at the platform. `operator`: the operator of the service',
          }),
        }),
      )
      .meta({ description: 'At least one' }),
  })
  .meta({ id: 'Risk', description: 'Reasons for which a waiting destination will probably fail or be late' });
export type Risk = z.infer<typeof Risk>;

/** Returns the risk of a target; `undefined` for one that does not wait: its outcome says more. */
export function presentRisk({
  status,
  risk,
}: {
  readonly status: PostStatus;
  readonly risk?: StoredRisk | undefined;
}): StoredRisk | undefined {
  return status === 'scheduled' ? risk : undefined;
}

export function toRisk(risk: StoredRisk | undefined): Risk | null {
  if (risk === undefined) return null;
  const { since, checkedAt, findings } = risk;
  return {
    since,
    checkedAt,
    findings: findings.map(({ code, message, param = null }) => {
      const { category } = outcomeCodes[code];
      return { code, category, message, param, by: actorOf(code, category) };
    }),
  };
}

function actorOf(code: OutcomeCode, category: OutcomeCategory): RiskActor {
  if (code === 'app_refused' || code === 'paused' || code === 'internal') return 'operator';
  return category === 'reconnect' || category === 'platform' ? 'account_owner' : 'author';
}

/** Returns text that is equal for findings that call for the same action. */
export const findingKey = ({ code, param = '' }: Pick<RiskFinding, 'code' | 'param'>): string =>
  `${code} ${param}`;

/** Returns true if two checks have found the same. Messages may differ, such as in a count. */
export function isSameRisk(one: StoredRisk | undefined, other: StoredRisk | undefined): boolean {
  return riskKey(one) === riskKey(other);
}

/** Returns text that is equal for equal sets of findings; empty without any. */
export const riskKey = (risk: StoredRisk | undefined): string =>
  [...new Set(risk?.findings.map(findingKey))].toSorted().join('\n');
