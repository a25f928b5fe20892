import { TextArea } from '../../../components/text-area.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { useSaid } from '../parts/at-field.tsx';
import { InheritAgain, Inherited } from '../parts/inherited.tsx';
import type { Special } from './control.ts';
import type { ControlProps } from './props.ts';

const texts = words.options.firstComment;

/** The comment below the post. An empty one of its own means none, although the others have one. */
export function FirstCommentControl({
  name,
  options,
  keyOf,
  onChange,
  sharedComment,
}: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const own = options[name];
  const isOwn = typeof own === 'string';
  if (!isOwn && sharedComment !== undefined) {
    if (sharedComment === '') return null;
    return (
      <Inherited
        label={texts.label}
        says={texts.inherited}
        action={texts.override}
        onOverride={() => onChange(name, sharedComment)}
      >
        <p className={textClasses['excerpt']}>{sharedComment}</p>
      </Inherited>
    );
  }
  const isInheriting = sharedComment !== undefined;
  return (
    <>
      <TextArea
        label={texts.label}
        rows={2}
        value={isOwn ? own : ''}
        onChange={(text) => onChange(name, text === '' && !isInheriting ? undefined : text)}
        validationBehavior="aria"
        validate={said.validate}
        help={
          <>
            {isInheriting && texts.help}
            {said.notes}
          </>
        }
      />
      {isInheriting && <InheritAgain action={texts.inherit} onPress={() => onChange(name, undefined)} />}
    </>
  );
}
