import type { UseQueryResult } from '@tanstack/react-query';
import type { readTimelineOperation } from '../../../posts/operations.ts';
import type { Account } from '../../accounts/account.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Post } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { ReadFailure } from '../accounts/read-failure.tsx';
import classes from './page.module.css';
import { byUrgency } from './targets.ts';
import { Attempts } from './timeline/attempts.tsx';
import { Diagram } from './timeline/diagram.tsx';
import { laneOf, stepsByTarget } from './timeline/lanes.ts';

const texts = words.postPage.timeline;

interface TimelineSectionProps {
  post: Post;
  timeline: UseQueryResult<ReplyOf<typeof readTimelineOperation>, ApiError>;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
}

/** What happened and when: as a diagram, and every step as a list. */
export function TimelineSection({ post, timeline, accounts, now }: TimelineSectionProps) {
  return (
    <Section title={isOver(post) ? texts.title : texts.titleOpen}>
      {timeline.isPending && <Skeleton kind="card" rows={1} />}
      {!timeline.data && <ReadFailure read={timeline} title={texts.failed} />}
      {timeline.data && <Steps post={post} timeline={timeline.data.timeline} accounts={accounts} now={now} />}
    </Section>
  );
}

const isOver = ({ platforms }: Post): boolean =>
  platforms.every(({ status }) => status !== 'scheduled' && status !== 'publishing');

interface StepsProps extends Omit<TimelineSectionProps, 'timeline'> {
  timeline: ReplyOf<typeof readTimelineOperation>['timeline'];
}

function Steps({ post, timeline, accounts, now }: StepsProps) {
  const byTarget = stepsByTarget(timeline);
  const stepsOf = (accountId: string) => byTarget.get(accountId) ?? [];
  const targets = byUrgency(post.platforms);
  const lanes = targets.flatMap((target) => laneOf(target, post, stepsOf(target.accountId)) ?? []);
  const withSteps = targets.filter(({ accountId }) => stepsOf(accountId).length > 0);
  if (lanes.length === 0 && withSteps.length === 0)
    return <p className={classes['minor']}>{post.status === 'draft' ? texts.emptyDraft : texts.empty}</p>;
  return (
    <div className={classes['timeline']}>
      {lanes.length > 0 && (
        <div className={classes['diagram']}>
          <Diagram lanes={lanes} accounts={accounts} now={isOver(post) ? undefined : now} />
        </div>
      )}
      {withSteps.length > 0 && (
        <ul className={classes['attempts']} aria-label={texts.list}>
          {withSteps.map(({ accountId, platform }) => (
            <Attempts
              key={accountId}
              account={accounts?.get(accountId)}
              platform={platform}
              steps={stepsOf(accountId)}
              dueMs={lanes.find(({ target }) => target.accountId === accountId)?.dueMs}
              isOpenAtFirst={false}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
