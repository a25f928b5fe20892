import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Button as Base } from 'react-aria-components/Button';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import type { ApiError } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { formatDuration } from '../../duration.ts';
import type { Post, Target } from '../../posts/post.ts';
import { formatPrecise, zoneName } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { ReadFailure } from '../accounts/read-failure.tsx';
import {
  attemptsOf,
  convertedFiles,
  dueMsOf,
  offsetText,
  type Step,
  stepsByTarget,
  summaryOf,
  type Timeline,
  withFileNames,
} from './steps.ts';
import { mostUrgentFirst } from './targets.ts';
import classes from './timeline.module.css';

const texts = words.postPage.timeline;

interface TimelineSectionProps {
  post: Post;
  timeline: UseQueryResult<{ timeline: Timeline }, ApiError>;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** Everything that happened to a post, by destination. */
export function TimelineSection({ post, timeline, accounts }: TimelineSectionProps) {
  return (
    <Section title={texts.title}>
      {timeline.isPending && <Skeleton kind="card" rows={1} />}
      {!timeline.data && <ReadFailure read={timeline} title={texts.failed} />}
      {timeline.data && <Targets post={post} timeline={timeline.data.timeline} accounts={accounts} />}
    </Section>
  );
}

interface TargetsProps extends Omit<TimelineSectionProps, 'timeline'> {
  timeline: Timeline;
}

function Targets({ post, timeline, accounts }: TargetsProps) {
  const byTarget = stepsByTarget(timeline);
  const begun = mostUrgentFirst(post.platforms).filter(({ accountId }) => byTarget.has(accountId));
  if (begun.length === 0)
    return <p className={classes.minor}>{post.status === 'draft' ? texts.emptyDraft : texts.empty}</p>;
  return (
    <ul className={classes.timeline} aria-label={texts.list}>
      {begun.map((target) => (
        <TargetItem
          key={target.accountId}
          target={target}
          account={accounts?.get(target.accountId)}
          steps={byTarget.get(target.accountId) ?? []}
          dueMs={dueMsOf(target, post)}
        />
      ))}
    </ul>
  );
}

interface TargetItemProps {
  target: Target;
  account: Account | undefined;
  steps: readonly Step[];
  dueMs: number | undefined;
}

/** Lateness above which a person notices. */
const noticeableMs = 1_000;

/** A destination: how it went, and every step with its calls. Steps are in the page while it is open: 50 destinations have thousands. */
function TargetItem({ target, account, steps, dueMs }: TargetItemProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={classes.item}>
      <h3 className={classes.heading}>
        <Base className={classes.toggle} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <span className={join(classes.arrow, isOpen && classes.open)}>
            <Icon name="chevronRight" />
          </span>
          <PlatformMark platform={target.platform} size="small" />
          <bdi className={classes.name}>{account ? nameOf(account) : words.account.disconnected}</bdi>
          <VisuallyHidden>{platformTitles[target.platform]}</VisuallyHidden>
          <span className={classes.count}>{texts.steps(steps.length)}</span>
        </Base>
      </h3>
      {dueMs !== undefined && (
        <p className={join(classes.summary, (target.timing.lateMs ?? 0) > noticeableMs && classes.late)}>
          {summaryOf(target, steps, dueMs)}
        </p>
      )}
      {isOpen && <Steps steps={steps} dueMs={dueMs} />}
    </li>
  );
}

/** More are long to read, and it is the last ones that say how it is. */
const shownAtFirst = 20;

/** The newest steps in the order in which they happened, and all that the service has on demand. */
function Steps({ steps, dueMs }: { steps: readonly Step[]; dueMs: number | undefined }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? steps : steps.slice(-shownAtFirst);
  // The service keeps the newest steps of a destination.
  const firstKept = steps[0]?.attempt ?? 1;
  return (
    <div className={classes.attempts}>
      {steps.length > shownAtFirst && (
        <Row gap={3}>
          <Button size="small" onPress={() => setAll(!isAll)}>
            {isAll ? texts.showNewest(shownAtFirst) : texts.showAllSteps(steps.length)}
          </Button>
          {!isAll && <span className={classes.minor}>{texts.newestOnly(shownAtFirst)}</span>}
        </Row>
      )}
      {firstKept > 1 && shown.length === steps.length && (
        <p className={classes.minor}>{texts.notKept(firstKept)}</p>
      )}
      {attemptsOf(shown).map((attempt, place) => (
        <Stack
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing in it has a state of its own
          key={place}
          as="section"
          gap={2}
          aria-label={texts.attempt(attempt.attempt)}
        >
          <h4 className={classes.title}>{texts.attempt(attempt.attempt)}</h4>
          <ol className={classes.steps}>
            {attempt.steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing in it has a state of its own
              <StepItem key={index} step={step} dueMs={dueMs} />
            ))}
          </ol>
        </Stack>
      ))}
    </div>
  );
}

const tones: Readonly<Partial<Record<Step['event'], Tone>>> = {
  published: 'good',
  finished: 'good',
  failed: 'bad',
  'files ready': 'good',
  'part published': 'good',
  'outcome unknown': 'bad',
  'trying again': 'warn',
  'nothing went live': 'warn',
  paused: 'warn',
  'not discarded': 'warn',
  removed: 'good',
  'part removed': 'good',
  'not removed': 'warn',
};

function StepItem({ step, dueMs }: { step: Step; dueMs: number | undefined }) {
  const { timezone } = useWorkspace();
  const { at, event, reason, nextAt, calls } = step;
  const date = new Date(at);
  const converted = convertedFiles(step);
  return (
    <li className={classes.step}>
      <div className={classes.when}>
        <time dateTime={at}>
          {formatPrecise(date, timezone)}{' '}
          <span className={join(classes.minor, classes.zone)}>{zoneName(date, timezone)}</span>
        </time>
        {dueMs !== undefined && <span className={classes.minor}>{offsetText(date.getTime() - dueMs)}</span>}
      </div>
      <Stack gap={1}>
        <Status
          tone={tones[event] ?? 'neutral'}
          {...(tones[event] === undefined && { icon: 'chevronRight' })}
        >
          {texts.events[event]}
        </Status>
        {reason !== null && (
          <p dir="auto" className={classes.reason}>
            {sentence(withFileNames(reason))}
          </p>
        )}
        {nextAt !== null && (
          <p className={classes.minor}>
            {texts.next} <Time at={nextAt} isInline />
          </p>
        )}
        {converted.length > 0 && (
          <p className={classes.minor}>{texts.converted(converted, step.files.length)}</p>
        )}
        {calls.length > 0 && (
          <ul className={classes.calls} aria-label={texts.calls}>
            {calls.map(({ call, status, milliseconds }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a step never change
              <li key={place} className={classes.call}>
                <code dir="ltr">{call}</code>
                <span className={join(classes.answer, isBad(status) && classes.bad)}>
                  <VisuallyHidden>{texts.status} </VisuallyHidden>
                  {status ?? texts.noAnswer}
                </span>
                <span className={classes.duration}>{formatDuration(milliseconds)}</span>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </li>
  );
}

const isBad = (status: number | null) => status === null || status >= 400;
