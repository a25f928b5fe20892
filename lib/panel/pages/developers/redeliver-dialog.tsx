import { useRef, useState } from 'react';
import type { redeliverFailedOperation } from '../../../webhooks/deliveries/operations.ts';
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

interface RedeliverDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Sends all failed deliveries of an endpoint again, since a time. It takes several requests if there are many. */
export function RedeliverDialog({ endpoint: { id, url }, onClose }: RedeliverDialogProps) {
  const [hours, setHours] = useState(usualHours);
  const { run, stop, sent, isRunning, isDone, error } = useRedelivery(id);
  const texts = words.endpointsTab.redelivery;
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Dialog title={texts.title} isOpen onClose={close}>
      <DialogBody>
        <EndpointUrl url={url} />
        <p>{texts.text}</p>
        {isDone ? (
          <Notice tone="good" isLive>
            {texts.done(sent)}
          </Notice>
        ) : (
          <RadioGroup
            label={texts.since}
            value={String(hours)}
            onChange={(value) => setHours(Number(value))}
            isDisabled={isRunning}
          >
            {Object.entries(texts.periods).map(([each, name]) => (
              <Radio key={each} value={each}>
                {name}
              </Radio>
            ))}
          </RadioGroup>
        )}
        <p role="status">{isRunning && texts.soFar(sent)}</p>
        {error && <ErrorNotice error={error} title={texts.failed} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={close}>{isDone ? words.developersPage.done : words.shared.actions.cancel}</Button>
        {!isDone && (
          <Button variant="primary" isPending={isRunning} onPress={() => void run(hours)}>
            {texts.submit}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function useRedelivery(id: string) {
  const { mutateAsync, error } = useSend<typeof redeliverFailedOperation>(
    'POST',
    '/v1/webhooks/{id}/redeliver-failed',
    ['/v1/deliveries', '/v1/webhooks/{id}/deliveries'],
  );
  const isStopped = useRef(false);
  const [state, setState] = useState({ sent: 0, isRunning: false, isDone: false });
  const run = async (hours: number) => {
    const since = new Date(Date.now() - hours * 3_600_000).toISOString();
    let sent = 0;
    let cursor: string | undefined;
    setState({ sent, isRunning: true, isDone: false });
    try {
      do {
        const reply = await mutateAsync({ path: { id }, body: { since, ...(cursor && { cursor }) } });
        sent += reply.redelivered;
        cursor = reply.nextCursor ?? undefined;
        setState({ sent, isRunning: true, isDone: false });
      } while (cursor !== undefined && !isStopped.current);
      setState({ sent, isRunning: false, isDone: true });
    } catch {
      // The mutation has the error. What was sent before stays sent; another run goes on with the rest.
      setState({ sent, isRunning: false, isDone: false });
    }
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { ...state, error: state.isRunning ? null : error, run, stop };
}
