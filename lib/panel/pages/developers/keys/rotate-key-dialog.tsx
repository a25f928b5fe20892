import { useId, useState } from 'react';
import type { rotateKeyOperation } from '../../../../people/operations.ts';
import { useSendForSecret } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import type { Key } from '../names.ts';
import { type Expiry, expiresAt } from './expiry.ts';
import { ExpiryChoice } from './expiry-choice.tsx';
import { type Issued, IssuedKey } from './issued-key.tsx';

const usualMinutes = 24 * 60;
const usualDays = 90;

interface RotateKeyDialogProps {
  apiKey: Key;
  onClose: () => void;
}

/** Asks how long the old value of a key stays valid, or when an expired key is to end, then shows the new value once. */
export function RotateKeyDialog({ apiKey, onClose }: RotateKeyDialogProps) {
  const [issued, setIssued] = useState<Issued>();
  return (
    <Dialog
      title={issued ? words.keysTab.issued.rotatedTitle : words.keysTab.rotation.title(apiKey.name)}
      isOpen
      size="medium"
      mustDecide={issued !== undefined}
      onClose={onClose}
    >
      {issued ? (
        <IssuedKey issued={issued} isRotated onClose={onClose} />
      ) : (
        <RotateKeyForm apiKey={apiKey} onIssued={setIssued} onClose={onClose} />
      )}
    </Dialog>
  );
}

function RotateKeyForm({
  apiKey: { id, status, previousUntil },
  onIssued,
  onClose,
}: RotateKeyDialogProps & { onIssued: (issued: Issued) => void }) {
  const { timezone } = useWorkspace();
  const [minutes, setMinutes] = useState(usualMinutes);
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'days', days: usualDays });
  const isExpired = status === 'expired';
  const rotate = useSendForSecret<typeof rotateKeyOperation>('POST', '/panel/keys/{id}/rotate', [
    '/panel/keys',
  ]);
  const formId = useId();
  const submit = () => {
    if (rotate.isPending) return;
    // The value of an expired key is refused already.
    const until = expiresAt(expiry, timezone, Date.now());
    const body = isExpired ? { overlapMinutes: 0, expiresAt: until } : { overlapMinutes: minutes };
    rotate.mutate({ request: { path: { id }, body }, onReply: onIssued });
  };
  const texts = words.keysTab.rotation;
  return (
    <>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={rotate.error} errorTitle={texts.failed}>
          <p>{isExpired ? texts.expiredText : texts.text}</p>
          {isExpired ? (
            <ExpiryChoice value={expiry} onChange={setExpiry} isRequired />
          ) : (
            <RadioGroup
              label={texts.overlap}
              name="overlapMinutes"
              value={String(minutes)}
              onChange={(value) => setMinutes(Number(value))}
            >
              {Object.entries(texts.overlaps).map(([each, [name, note]]) => (
                <Radio key={each} value={each} note={note}>
                  {name}
                </Radio>
              ))}
            </RadioGroup>
          )}
          {previousUntil !== null && (
            <Notice tone="warn">
              {texts.earlier} <Time at={previousUntil} />
            </Notice>
          )}
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" type="submit" form={formId} isPending={rotate.isPending}>
          {texts.submit}
        </Button>
      </DialogActions>
    </>
  );
}
