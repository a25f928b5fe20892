import type { UseQueryResult } from '@tanstack/react-query';
import type { previewDisconnectOperation } from '../../../accounts/operations.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import { Facts } from './facts.tsx';
import { ReadFailure } from './read-failure.tsx';
import { useUpcoming } from './upcoming.ts';

export type Preview = UseQueryResult<ReplyOf<typeof previewDisconnectOperation>, ApiError>;

interface PlannedProps {
  accountId: string;
  preview: Preview;
}

const texts = words.accountsPage.account;

/** How much is planned for the account, and when the next post goes out. */
export function Planned({ accountId, preview }: PlannedProps) {
  const upcoming = useUpcoming(accountId);
  return (
    <Section title={texts.planned} isCard>
      {preview.isPending && <Skeleton kind="text" rows={3} />}
      {!preview.data && <ReadFailure read={preview} />}
      {preview.data && (
        <Facts
          facts={[
            [texts.scheduled, preview.data.scheduledTargets],
            [texts.nextPost, nextPost(preview.data.scheduledTargets, upcoming, accountId)],
            [texts.automations, preview.data.activeAutomations],
          ]}
        />
      )}
    </Section>
  );
}

function nextPost(
  scheduledTargets: number,
  { data, isError }: ReturnType<typeof useUpcoming>,
  accountId: string,
) {
  const at = data?.nextByAccount[accountId];
  if (at !== undefined) return <Time at={at} isRelative />;
  if (scheduledTargets === 0) return texts.none;
  if (isError) return texts.notKnown;
  if (data === undefined) return '…';
  return data.isComplete ? texts.later : texts.notFound;
}
