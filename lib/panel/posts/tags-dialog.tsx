import { useState } from 'react';
import type { editTagOperation, removeTagOperation } from '../../tags/operations.ts';
import { useSend } from '../api/hooks.ts';
import { Button } from '../components/button.tsx';
import { ConfirmRow } from '../components/confirm-row.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Stack } from '../components/layout.tsx';
import { Select } from '../components/select.tsx';
import { TextField } from '../components/text-field.tsx';
import { words } from '../words/words.ts';
import classes from './tags.module.css';
import { asTag, isTagName, type Tag, type TagColor, tagsPath, useTags } from './tags.ts';

const texts = words.tags.manage;
const colors = Object.entries(words.tags.colors).map(([id, name]) => ({ id, name }));

/** The names and colours of the workspace's tags. */
export function TagsDialog({ onClose }: { onClose: () => void }) {
  const tags = useTags();
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <DialogBody>
        <Stack gap={4}>
          {tags?.length === 0 && <p>{texts.empty}</p>}
          {tags?.map((tag) => (
            <ManagedTag key={tag.name} tag={tag} />
          ))}
        </Stack>
      </DialogBody>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const read = [tagsPath, '/v1/posts', '/v1/posts/{id}'];

function ManagedTag({ tag: { name, color } }: { tag: Tag }) {
  const [typed, setTyped] = useState(name);
  const [isAsking, setAsking] = useState(false);
  const edit = useSend<typeof editTagOperation>('PATCH', '/v1/tags/{name}', read);
  const remove = useSend<typeof removeTagOperation>('DELETE', '/v1/tags/{name}', read);
  const path = { name };
  const isChanged = asTag(typed) !== name;
  const error = edit.error ?? remove.error;
  const rename = () => edit.mutate({ path, body: { name: asTag(typed) } });
  return (
    <div>
      <div className={classes.managed}>
        <TextField
          label={texts.name(name)}
          value={typed}
          onChange={setTyped}
          isInvalid={!isTagName(asTag(typed))}
          autoComplete="off"
        />
        <Select
          label={texts.color(name)}
          choices={colors}
          value={color}
          onChange={(key) => edit.mutate({ path, body: { color: key as TagColor } })}
        />
        {isChanged && (
          <IconButton
            icon="check"
            label={texts.rename(name)}
            onPress={rename}
            isDisabled={!isTagName(asTag(typed))}
          />
        )}
        <IconButton icon="trash" label={texts.remove(name)} onPress={() => setAsking(true)} />
      </div>
      {isAsking && (
        <ConfirmRow
          question={texts.confirm(name)}
          action={texts.remove(name)}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate({ path })}
          onCancel={() => setAsking(false)}
        />
      )}
      {error && <ErrorNotice error={error} title={texts.failed} />}
    </div>
  );
}
