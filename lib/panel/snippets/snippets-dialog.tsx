import { useId, useState } from 'react';
import type {
  createSnippetOperation,
  editSnippetOperation,
  listSnippetsOperation,
  removeSnippetOperation,
} from '../../snippets/operations.ts';
import type { SnippetKind } from '../../snippets/schemas.ts';
import { withValues } from '../../snippets/variables.ts';
import { usePages, useSend } from '../api/hooks.ts';
import { Button } from '../components/button.tsx';
import { ConfirmRow } from '../components/confirm-row.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { Form } from '../components/form.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Muted, Row, Stack } from '../components/layout.tsx';
import { SearchField } from '../components/search-field.tsx';
import { Select } from '../components/select.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { TextArea } from '../components/text-area.tsx';
import { TextField } from '../components/text-field.tsx';
import { words } from '../words/words.ts';
import classes from './snippets.module.css';
import {
  type Cursor,
  fieldsOf,
  insertedAt,
  type KnownValues,
  type Snippet,
  searched,
  selectedIn,
  snippetsPath,
} from './snippets.ts';

const texts = words.snippets;

interface SnippetsDialogProps {
  cursor: Cursor;
  known: KnownValues;
  onInsert: (text: string) => void;
  onClose: () => void;
}

/** The view of the dialog: all saved texts, the variables of one, or the form of a new or a changed one. */
type View =
  | { readonly kind: 'list' }
  | { readonly kind: 'fill'; readonly snippet: Snippet }
  | { readonly kind: 'form'; readonly snippet?: Snippet; readonly content: string };

/** Inserts a saved text into a post, and keeps the saved texts of the workspace. */
export function SnippetsDialog({ cursor, known, onInsert, onClose }: SnippetsDialogProps) {
  const [view, setView] = useState<View>({ kind: 'list' });
  const insert = (text: string) => {
    onInsert(insertedAt(cursor, text));
    onClose();
  };
  const back = () => setView({ kind: 'list' });
  const title =
    view.kind === 'list'
      ? texts.title
      : view.kind === 'fill'
        ? texts.fill(view.snippet.name)
        : view.snippet
          ? texts.form.edit
          : texts.form.create;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {view.kind === 'list' && (
        <List
          selected={selectedIn(cursor)}
          onChoose={(snippet) =>
            snippet.variables.length > 0 ? setView({ kind: 'fill', snippet }) : insert(snippet.content)
          }
          onForm={(form) => setView({ kind: 'form', ...form })}
          onClose={onClose}
        />
      )}
      {view.kind === 'fill' && <Fill snippet={view.snippet} known={known} onInsert={insert} onBack={back} />}
      {view.kind === 'form' && <SnippetForm snippet={view.snippet} content={view.content} onBack={back} />}
    </Dialog>
  );
}

interface ListProps {
  selected: string;
  onChoose: (snippet: Snippet) => void;
  onForm: (form: { readonly snippet?: Snippet; readonly content: string }) => void;
  onClose: () => void;
}

const pageSize = '100';

function List({ selected, onChoose, onForm, onClose }: ListProps) {
  const [search, setSearch] = useState('');
  const pages = usePages<typeof listSnippetsOperation>(snippetsPath, { query: { limit: pageSize } });
  const all = pages.data?.pages.flatMap(({ snippets }) => snippets) ?? [];
  const shown = searched(all, search);
  return (
    <>
      <DialogBody>
        <Stack gap={4}>
          <Muted>{texts.lead}</Muted>
          {pages.data === undefined && !pages.isError && <Skeleton rows={4} />}
          {pages.data === undefined && pages.isError && (
            <ErrorState
              error={pages.error}
              onRetry={() => void pages.refetch()}
              isRetrying={pages.isFetching}
            />
          )}
          {pages.data && all.length === 0 && <p>{texts.empty}</p>}
          {all.length > 0 && (
            <SearchField label={texts.search} value={search} onChange={setSearch} autoFocus />
          )}
          {all.length > 0 && shown.length === 0 && <p role="status">{texts.noMatch}</p>}
          {shown.length > 0 && (
            <ul className={classes.list} aria-label={texts.title}>
              {shown.map((snippet) => (
                <Item
                  key={snippet.id}
                  snippet={snippet}
                  onChoose={() => onChoose(snippet)}
                  onEdit={() => onForm({ snippet, content: snippet.content })}
                />
              ))}
            </ul>
          )}
          {pages.hasNextPage && (
            <div>
              <Button
                size="small"
                isPending={pages.isFetchingNextPage}
                onPress={() => void pages.fetchNextPage()}
              >
                {texts.more}
              </Button>
            </div>
          )}
          <Row gap={2}>
            <Button size="small" icon="plus" onPress={() => onForm({ content: '' })}>
              {texts.create}
            </Button>
            {selected !== '' && (
              <Button size="small" icon="plus" onPress={() => onForm({ content: selected })}>
                {texts.saveSelection}
              </Button>
            )}
          </Row>
        </Stack>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{texts.close}</Button>
      </DialogActions>
    </>
  );
}

interface ItemProps {
  snippet: Snippet;
  onChoose: () => void;
  onEdit: () => void;
}

function Item({ snippet: { id, kind, name, content }, onChoose, onEdit }: ItemProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useSend<typeof removeSnippetOperation>('DELETE', '/v1/snippets/{id}', [snippetsPath]);
  return (
    <li className={classes.item}>
      <div className={classes.text}>
        <strong dir="auto">{name}</strong> <Muted as="span">{texts.kinds[kind]}</Muted>
        <p className={classes.excerpt} dir="auto">
          {content}
        </p>
      </div>
      {isAsking ? (
        <ConfirmRow
          question={texts.confirm(name)}
          action={texts.removeAction}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate({ path: { id } })}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Row gap={1}>
          <Button size="small" aria-label={texts.insertNamed(name)} onPress={onChoose}>
            {texts.insert}
          </Button>
          <IconButton icon="pencil" label={texts.edit(name)} onPress={onEdit} />
          <IconButton icon="trash" label={texts.remove(name)} onPress={() => setAsking(true)} />
        </Row>
      )}
      {remove.error && <ErrorNotice error={remove.error} title={texts.failed} />}
    </li>
  );
}

interface FillProps {
  snippet: Snippet;
  known: KnownValues;
  onInsert: (text: string) => void;
  onBack: () => void;
}

/** Asks for the values of variables, and shows the text with them. */
function Fill({ snippet, known, onInsert, onBack }: FillProps) {
  const [values, setValues] = useState(fieldsOf(snippet, known));
  const formId = useId();
  const names = Object.keys(values);
  const filled = new Map(Object.entries(values).filter(([, value]) => value !== ''));
  const text = withValues(snippet.content, filled);
  return (
    <>
      <DialogBody>
        <Stack gap={4}>
          <Muted>{texts.fillLead}</Muted>
          <Form id={formId} onSubmit={() => onInsert(text)} error={null}>
            {names.map((name, index) => (
              <TextField
                key={name}
                label={name}
                value={values[name] ?? ''}
                onChange={(value) => setValues({ ...values, [name]: value })}
                autoFocus={index === 0}
                isRequired
                autoComplete="off"
              />
            ))}
          </Form>
          <section aria-label={texts.preview}>
            <Muted>{texts.preview}</Muted>
            <p className={classes.preview} dir="auto">
              {text}
            </p>
          </section>
        </Stack>
      </DialogBody>
      <DialogActions>
        <Button onPress={onBack}>{texts.back}</Button>
        <Button type="submit" form={formId} variant="primary">
          {texts.insert}
        </Button>
      </DialogActions>
    </>
  );
}

interface SnippetFormProps {
  snippet: Snippet | undefined;
  content: string;
  onBack: () => void;
}

const kinds = (['text', 'hashtags'] as const).map((id) => ({ id, name: texts.kinds[id] }));

/** Returns the kind that a text probably is. */
const likelyKind = (content: string): SnippetKind =>
  /^\s*(?:#\S+\s*)+$/.test(content) ? 'hashtags' : 'text';

function SnippetForm({ snippet, content: given, onBack }: SnippetFormProps) {
  const [kind, setKind] = useState<SnippetKind>(snippet?.kind ?? likelyKind(given));
  const [name, setName] = useState(snippet?.name ?? '');
  const [content, setContent] = useState(given);
  const create = useSend<typeof createSnippetOperation>('POST', '/v1/snippets', [snippetsPath]);
  const edit = useSend<typeof editSnippetOperation>('PATCH', '/v1/snippets/{id}', [snippetsPath]);
  const formId = useId();
  const body = { kind, name, content };
  const submit = () =>
    snippet
      ? edit.mutate({ path: { id: snippet.id }, body }, { onSuccess: onBack })
      : create.mutate({ body }, { onSuccess: onBack });
  return (
    <>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={create.error ?? edit.error} errorTitle={texts.form.failed}>
          <TextField
            name="name"
            label={texts.form.name}
            value={name}
            onChange={setName}
            autoFocus
            autoComplete="off"
          />
          <Select
            name="kind"
            label={texts.form.kind}
            choices={kinds}
            value={kind}
            onChange={(key) => setKind(key === 'hashtags' ? 'hashtags' : 'text')}
          />
          <TextArea
            name="content"
            label={texts.form.content}
            help={texts.form.contentHelp}
            rows={6}
            value={content}
            onChange={setContent}
          />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onBack}>{texts.back}</Button>
        <Button type="submit" form={formId} variant="primary" isPending={create.isPending || edit.isPending}>
          {texts.form.save}
        </Button>
      </DialogActions>
    </>
  );
}
