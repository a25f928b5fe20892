import { type Ref, use, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  ComboBox as Base,
  type ComboBoxProps as BaseProps,
  ComboBoxStateContext,
} from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';
import { Icon } from './icon.tsx';
import { type Choice, Option } from './option.tsx';
import popover from './popover.module.css';
import classes from './select.module.css';

interface ComboBoxProps
  extends Omit<
      BaseProps<Choice>,
      'className' | 'style' | 'children' | 'items' | 'defaultItems' | 'selectionMode'
    >,
    FieldTexts {
  choices: readonly Choice[];
  placeholder?: string;
  isLabelHidden?: boolean | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/**
 * One of many choices, found by typing a part of its name. The list opens if somebody clicks the field, types, or presses an arrow key.
 * The focus alone opens nothing: a form also moves it here, to show what is wrong.
 */
export function ComboBox({
  label,
  help,
  isOptional,
  choices,
  placeholder = '',
  isLabelHidden,
  inputRef,
  ...rest
}: ComboBoxProps) {
  const list = useRef<HTMLDivElement>(null);
  // Another list would begin the field anew, also in the middle of a word. One that is read again is mostly the same.
  const [listed, setListed] = useState(choices);
  if (choices !== listed && JSON.stringify(choices) !== JSON.stringify(listed)) setListed(choices);
  return (
    <Base
      allowsEmptyCollection
      {...rest}
      {...(isLabelHidden && { 'aria-label': label })}
      onInputChange={(text) => {
        // The list opens at the present choice; what matches is listed from its top.
        list.current?.scrollTo(0, 0);
        rest.onInputChange?.(text);
      }}
      defaultItems={listed}
      className={field.field}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Group className={classes.combo}>
        <TextInput placeholder={placeholder} inputRef={inputRef} />
        <Button className={classes.open} aria-label={words.shared.fields.show}>
          <Icon name="chevronDown" />
        </Button>
      </Group>
      <FieldNotes help={help} />
      <Popover className={popover.popover} offset={4}>
        <ListBox
          ref={list}
          className={popover.list}
          renderEmptyState={() => <p className={popover.empty}>{words.shared.fields.none}</p>}
        >
          {(choice: Choice) => <Option {...choice} />}
        </ListBox>
      </Popover>
    </Base>
  );
}

function TextInput({ placeholder = '', inputRef }: Pick<ComboBoxProps, 'placeholder' | 'inputRef'>) {
  const list = use(ComboBoxStateContext);
  return (
    <Input
      {...(inputRef && { ref: inputRef })}
      className={join(field.control, classes.input)}
      placeholder={placeholder}
      onClick={() => list?.open(null, 'manual')}
    />
  );
}
