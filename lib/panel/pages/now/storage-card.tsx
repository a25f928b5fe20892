import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { formatBytes } from '../../bytes.ts';
import { Meter } from '../../components/meter.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import { ReadFailure } from '../accounts/read-failure.tsx';
import classes from './cards.module.css';
import { nearFull } from './concerns.ts';

const texts = words.nowPage.storage;

interface StorageCardProps {
  workspace: UseQueryResult<ReplyOf<typeof readWorkspaceOperation>, ApiError>;
}

/** How much of the storage is used. */
export function StorageCard({ workspace }: StorageCardProps) {
  const id = useId();
  const storage = workspace.data?.workspace.storage;
  const share = storage && (storage.quotaBytes > 0 ? storage.usedBytes / storage.quotaBytes : 1);
  const used = storage && texts.used(formatBytes(storage.usedBytes), formatBytes(storage.quotaBytes));
  return (
    <Section title={texts.title} isCard>
      {workspace.isPending && <Skeleton kind="text" rows={2} />}
      {!storage && <ReadFailure read={workspace} title={texts.failed} />}
      {share !== undefined && used !== undefined && (
        <div className={classes['storage']}>
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
