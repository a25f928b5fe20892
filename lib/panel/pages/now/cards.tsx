import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import type { readPunctualityOperation } from '../../../punctuality/operations.ts';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import type { ApiError } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { formatBytes } from '../../bytes.ts';
import { Muted } from '../../components/layout.tsx';
import { Meter } from '../../components/meter.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatDuration } from '../../duration.ts';
import { PostLink } from '../../posts/post-parts.tsx';
import { locale, words } from '../../words/words.ts';
import { ReadFailure } from '../accounts/read-failure.tsx';
import { nearFull } from './concerns.ts';
import classes from './now.module.css';
import { formatShare, useWorst } from './punctuality.ts';

const texts = words.nowPage.punctuality;
const refetchEveryMs = 60_000;

/** The lateness of the posts of the last seven days. */
export function PunctualityCard() {
  const read = useGet<typeof readPunctualityOperation>(
    '/v1/workspace/punctuality',
    { query: { days: '7' } },
    { refetchEveryMs },
  );
  const figures = read.data?.punctuality;
  const worst = useWorst(figures?.from, figures?.worstMs ?? null).data ?? undefined;
  return (
    <Section title={texts.title} isCard>
      {read.isPending && <Skeleton kind="text" rows={4} />}
      {!figures && <ReadFailure read={read} title={texts.failed} />}
      {figures && (figures.withinOneSecond === null || figures.count === 0) && (
        <Muted size="m">{texts.none}</Muted>
      )}
      {figures && figures.withinOneSecond !== null && (
        <>
          <div>
            <p className={classes.figure}>{formatShare(figures.withinOneSecond, locale)}</p>
            <Muted size="m">
              {texts.of(figures.count)} {texts.onTime}
            </Muted>
          </div>
          <dl className={classes.figures}>
            <Figure name={texts.median} ms={figures.p50Ms} />
            <Figure name={texts.most} ms={figures.p95Ms} />
            <Figure name={texts.worst} ms={figures.worstMs}>
              {worst && <PostLink post={worst.post} characters={40} />}
            </Figure>
            {figures.platforms.map(({ platform, atFirstTry }) => (
              <Share key={platform} name={texts.firstTryOn(platformTitles[platform])} share={atFirstTry} />
            ))}
          </dl>
          <Muted size="xs">{texts.help}</Muted>
        </>
      )}
    </Section>
  );
}

interface FigureProps {
  name: string;
  ms: number | null;
  children?: React.ReactNode;
}

function Figure({ name, ms, children }: FigureProps) {
  if (ms === null) return null;
  return (
    <div className={classes.figureRow}>
      <dt>{name}</dt>
      <dd>
        {formatDuration(ms)}
        {children}
      </dd>
    </div>
  );
}

interface ShareProps {
  name: string;
  share: number | null;
}

function Share({ name, share }: ShareProps) {
  if (share === null) return null;
  return (
    <div className={classes.figureRow}>
      <dt>{name}</dt>
      <dd>{formatShare(share, locale)}</dd>
    </div>
  );
}

const storageTexts = words.nowPage.storage;

interface StorageCardProps {
  workspace: UseQueryResult<ReplyOf<typeof readWorkspaceOperation>, ApiError>;
}

/** The share of the storage that is used. */
export function StorageCard({ workspace }: StorageCardProps) {
  const id = useId();
  const stored = workspace.data?.workspace.storage;
  // Only keys are not told how much is used.
  const storage = stored && { ...stored, usedBytes: stored.usedBytes ?? 0 };
  const share = storage && (storage.quotaBytes > 0 ? storage.usedBytes / storage.quotaBytes : 1);
  const used = storage && storageTexts.used(formatBytes(storage.usedBytes), formatBytes(storage.quotaBytes));
  return (
    <Section title={storageTexts.title} isCard>
      {workspace.isPending && <Skeleton kind="text" rows={2} />}
      {!storage && <ReadFailure read={workspace} title={storageTexts.failed} />}
      {share !== undefined && used !== undefined && (
        <div className={classes.storage}>
          <p id={id}>{used}</p>
          <Meter
            share={share}
            labelledBy={id}
            text={used}
            tone={share >= 1 ? 'bad' : share >= nearFull ? 'warn' : 'normal'}
          />
        </div>
      )}
    </Section>
  );
}
