import type { listPlaylistsOperation } from '../../../../accounts/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Select } from '../../../components/select.tsx';
import { words } from '../../../words/words.ts';
import { useSaid } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import type { ControlProps } from './props.ts';

/** Nothing is chosen beforehand: the law wants a person's answer. */
export function MadeForKidsControl({ name, control, options, keyOf, onChange }: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const given = options[name];
  const { no, yes } = words.options.youtube.madeForKids;
  return (
    <RadioGroup
      label={control.label}
      help={
        <>
          {control.help}
          {said.notes}
        </>
      }
      value={typeof given === 'boolean' ? String(given) : null}
      onChange={(value) => onChange(name, value === 'true')}
      validationBehavior="aria"
      validate={said.validate}
    >
      <Radio value="false">{no}</Radio>
      <Radio value="true">{yes}</Radio>
    </RadioGroup>
  );
}

const none = 'none';

/** The channel's playlists, as YouTube has them now. */
export function PlaylistControl({
  accountId,
  name,
  control,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const { data, error, isPending } = useGet<typeof listPlaylistsOperation>(
    '/v1/accounts/{id}/playlists',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );
  const given = typeof options[name] === 'string' ? options[name] : undefined;
  const playlists = data?.playlists ?? [];
  const isUnlisted = given !== undefined && !playlists.some(({ id }) => id === given);
  return (
    <>
      <Select
        label={control.label}
        help={
          <>
            {isPending ? words.options.playlists.loading : control.help}
            {said.notes}
          </>
        }
        choices={[
          { id: none, name: words.options.youtube.playlistId.none },
          ...playlists.map(({ id, title }) => ({ id, name: title })),
          ...(isUnlisted ? [{ id: given, name: words.options.playlists.unlisted(given) }] : []),
        ]}
        value={given ?? none}
        onChange={(key) => onChange(name, key === none ? undefined : key)}
        validationBehavior="aria"
        validate={said.validate}
      />
      {error && !data && <ErrorNotice error={error} />}
    </>
  );
}
