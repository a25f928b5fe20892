import { useState } from 'react';
import type { replayOperation } from '../../../webhooks/replays/operations.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { words } from '../../words/words.ts';
import type { Endpoint } from './endpoint.ts';
import { EndpointUrl } from './parts.tsx';

const usualHours = 24;
const hourMs = 3_600_000;

interface ReplayDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Sends an endpoint the events of the feed since a time. If there are more than a request covers, the person asks for the rest. */
export function ReplayDialog({ endpoint: { id, url }, onClose }: ReplayDialogProps) {
  const [hours, setHours] = useState(usualHours);
  const [reply, setReply] = useState<{ events: number; nextCursor: string; hasMore: boolean }>();
  const replay = useSend<typeof replayOperation>('POST', '/v1/webhooks/{id}/replay', [
    '/v1/deliveries',
    '/v1/webhooks/{id}/deliveries',
  ]);
  const texts = words.endpointsTab.replay;
  const isDone = reply !== undefined && !reply.hasMore;
  const send = () => {
    const body = reply
      ? { after: reply.nextCursor }
      : { since: new Date(Date.now() - hours * hourMs).toISOString() };
    replay.mutate(
      { path: { id }, body },
      { onSuccess: (next) => setReply({ ...next, events: next.events + (reply?.events ?? 0) }) },
    );
  };
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <DialogBody>
        <EndpointUrl url={url} />
        <p>{texts.text}</p>
        {reply ? (
          <Notice tone={reply.hasMore ? 'info' : 'good'} isLive>
            {texts.covered(reply.events)}
            {reply.hasMore && ` ${texts.more}`}
          </Notice>
        ) : (
          <RadioGroup
            label={words.endpointsTab.redelivery.since}
            value={String(hours)}
            onChange={(value) => setHours(Number(value))}
            isDisabled={replay.isPending}
          >
            {Object.entries(words.endpointsTab.redelivery.periods).map(([each, name]) => (
              <Radio key={each} value={each}>
                {name}
              </Radio>
            ))}
          </RadioGroup>
        )}
        {replay.error && <ErrorNotice error={replay.error} title={texts.failed} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{reply ? words.developersPage.done : words.shared.actions.cancel}</Button>
        {!isDone && (
          <Button variant="primary" isPending={replay.isPending} onPress={send}>
            {reply ? texts.rest : texts.submit}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
