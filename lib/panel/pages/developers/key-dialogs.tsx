import { useState } from 'react';
import type {
  createKeyOperation,
  revokeKeyOperation,
  rotateKeyOperation,
} from '../../../people/operations.ts';
import { useSend, useSendForSecret } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { useCurl } from '../../curl.ts';
import { addDays, dayIn, formatDay } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './developers.module.css';
import { type Expiry, expiresAt, type Key, type Permission, requestFor } from './keys.ts';
import { AccountChoice, AllOrSome, OnceShown } from './parts.tsx';

/** Asks what a new key is for, then shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [issued, setIssued] = useState<Issued>();
  return (
    <Dialog
      title={issued ? words.keysTab.issued.createdTitle : words.keysTab.form.title}
      isOpen
      size="medium"
      mustDecide={issued !== undefined}
      onClose={onClose}
    >
      {issued ? (
        <IssuedKey issued={issued} onClose={onClose} />
      ) : (
        <NewKeyForm onIssued={setIssued} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface NewKeyFormProps {
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}

function NewKeyForm({ onIssued, onClose }: NewKeyFormProps) {
  const { timezone } = useWorkspace();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[] | null>(null);
  const [accountIds, setAccountIds] = useState<readonly string[] | null>(null);
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'never' });
  const create = useSendForSecret<typeof createKeyOperation>('POST', '/panel/keys', ['/panel/keys']);
  const submit = () => {
    const until = expiresAt(expiry, timezone, Date.now());
    const body = {
      name: name.trim(),
      ...(permissions && { permissions: [...permissions] }),
      ...(accountIds && { accountIds: [...accountIds] }),
      ...(until !== undefined && { expiresAt: until }),
    };
    create.mutate({ request: { body }, onReply: onIssued });
  };
  const texts = words.keysTab.form;
  return (
    <DialogForm
      submit={texts.submit}
      sending={create}
      errorTitle={texts.failed}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="name"
        help={texts.nameHelp}
        value={name}
        onChange={setName}
        maxLength={100}
        validate={(value) => (value.trim() === '' ? texts.nameMissing : null)}
        autoComplete="off"
        autoFocus
      />
      <PermissionChoice value={permissions} onChange={setPermissions} />
      <AccountChoice
        value={accountIds}
        onChange={setAccountIds}
        most={words.keysTab.mostAccounts}
        help={words.keysTab.accountsHelp}
      />
      <ExpiryChoice value={expiry} onChange={setExpiry} />
    </DialogForm>
  );
}

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
  const submit = () => {
    // The value of an expired key is refused already.
    const until = expiresAt(expiry, timezone, Date.now());
    const body = isExpired ? { overlapMinutes: 0, expiresAt: until } : { overlapMinutes: minutes };
    rotate.mutate({ request: { path: { id }, body }, onReply: onIssued });
  };
  const texts = words.keysTab.rotation;
  return (
    <DialogForm
      submit={texts.submit}
      sending={rotate}
      errorTitle={texts.failed}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </DialogForm>
  );
}

interface RevokeKeyDialogProps {
  apiKey: Key;
  onClose: () => void;
}

/** Asks before a key ends, and says what stops. */
export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const { id, name, lastUsedOn, previousUntil } = apiKey;
  const revoke = useSend<typeof revokeKeyOperation>('DELETE', '/panel/keys/{id}', ['/panel/keys']);
  const texts = words.keysTab.revocation;
  const confirm = () =>
    revoke.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          toast({ text: texts.done(name) });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={texts.title(name)}
      action={texts.submit}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {texts.stops} {previousUntil !== null && texts.stopsBoth}{' '}
        {lastUsedOn === null ? texts.neverUsed : texts.usedOn(formatDay(lastUsedOn))}
      </p>
      <p>
        {texts.stays} {texts.forever}
      </p>
    </ConfirmDialog>
  );
}

const permissionTexts = words.keysTab.permissions;
const allPermissions = Object.keys(permissionTexts.names) as Permission[];

interface PermissionChoiceProps {
  value: readonly Permission[] | null;
  onChange: (value: readonly Permission[] | null) => void;
}

/** All permissions, or some of them. */
function PermissionChoice({ value, onChange }: PermissionChoiceProps) {
  return (
    <AllOrSome texts={permissionTexts} value={value} usual={['read']} onChange={onChange}>
      <CheckboxGroup
        label={permissionTexts.choose}
        name="permissions"
        value={[...(value ?? [])]}
        onChange={(chosen) => onChange(allPermissions.filter((each) => chosen.includes(each)))}
        validate={(chosen) => (chosen.length === 0 ? permissionTexts.atLeastOne : null)}
      >
        {allPermissions.map((permission) => (
          <Checkbox key={permission} value={permission} note={permissionTexts.notes[permission]}>
            {permissionTexts.names[permission]}
          </Checkbox>
        ))}
      </CheckboxGroup>
    </AllOrSome>
  );
}

const dayChoices = [30, 90, 365];
const mostDays = 5 * 365;

interface ExpiryChoiceProps {
  value: Expiry;
  onChange: (value: Expiry) => void;
  isRequired?: boolean;
}

/** Asks when a key ends: never, after some days, or on a date. */
function ExpiryChoice({ value, onChange, isRequired = false }: ExpiryChoiceProps) {
  const { timezone } = useWorkspace();
  const texts = words.keysTab.expiry;
  const isDate = value.kind === 'date';
  const until = expiresAt(value, timezone, Date.now());
  const choose = (id: string) => {
    if (id === 'never') onChange({ kind: 'never' });
    else if (id === 'date') onChange({ kind: 'date', date: '' });
    else onChange({ kind: 'days', days: Number(id) });
  };
  return (
    <div className={classes.pair}>
      <Select
        label={texts.label}
        {...(!isDate && { name: 'expiresAt' })}
        choices={[
          ...(isRequired ? [] : [{ id: 'never', name: texts.never }]),
          ...dayChoices.map((days) => ({ id: String(days), name: texts.days(days) })),
          { id: 'date', name: texts.date },
        ]}
        selectedKey={value.kind === 'days' ? String(value.days) : value.kind}
        onSelectionChange={(id) => choose(String(id))}
        help={
          value.kind === 'never' ? (
            texts.neverHelp
          ) : value.kind === 'days' && until !== undefined ? (
            <>
              {texts.until} <Time at={until} />
            </>
          ) : undefined
        }
      />
      {isDate && <LastDay date={value.date} onChange={(date) => onChange({ kind: 'date', date })} />}
    </div>
  );
}

function LastDay({ date, onChange }: { date: string; onChange: (date: string) => void }) {
  const { timezone } = useWorkspace();
  const texts = words.keysTab.expiry;
  const today = dayIn(new Date(), timezone);
  const last = addDays(today, mostDays - 1);
  return (
    <TextField
      label={texts.dateLabel}
      name="expiresAt"
      type="date"
      value={date}
      onChange={onChange}
      help={texts.dateHelp(timezone)}
      validate={(value) => {
        if (value === '') return texts.dateMissing;
        return value < today || value > last ? texts.dateWrong : null;
      }}
    />
  );
}

type Issued = Pick<ReplyOf<typeof createKeyOperation>, 'key' | 'apiKey'>;

interface IssuedKeyProps {
  issued: Issued;
  isRotated?: boolean;
  onClose: () => void;
}

/** Shows a key for the only time. */
function IssuedKey({ issued: { key, apiKey }, isRotated = false, onClose }: IssuedKeyProps) {
  const curl = useCurl();
  const texts = words.keysTab.issued;
  return (
    <OnceShown title={texts.once} text={texts.onceText} confirm={texts.stored} onClose={onClose}>
      <CopyField label={texts.field} value={apiKey} copyLabel={texts.copy} />
      {isRotated && (
        <p>
          {key.previousUntil === null ? (
            texts.oldStopped
          ) : (
            <>
              {texts.oldWorks} <Time at={key.previousUntil} />
            </>
          )}
        </p>
      )}
      <CodeBlock
        label={words.developersPage.curl.label}
        code={curl(requestFor(key.permissions))}
        copyLabel={words.developersPage.curl.copy}
      />
    </OnceShown>
  );
}
