import type { RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { join } from './classes.ts';
import type { MenuAction, MenuSection as Section } from './menu-action.ts';
import { ChoiceBody } from './option.tsx';
import classes from './popover.module.css';

export interface MenuPopoverProps {
  label: string;
  triggerRef: RefObject<HTMLElement | null>;
  placement: NonNullable<PopoverProps['placement']>;
  actions: readonly MenuAction[];
  sections: readonly Section[];
  isFirstFocused: boolean;
  onChoose: (run: () => void) => void;
  onClose: () => void;
}

/** The open part of a {@link Menu}. */
export default function MenuPopover(props: MenuPopoverProps) {
  const { label, triggerRef, placement, actions, sections, isFirstFocused, onChoose, onClose } = props;
  return (
    <Popover
      className={classes.popover}
      aria-label={label}
      triggerRef={triggerRef}
      placement={placement}
      offset={4}
      isOpen
      onOpenChange={onClose}
    >
      <Menu
        className={classes.list}
        aria-label={label}
        autoFocus={isFirstFocused ? 'first' : true}
        onClose={onClose}
      >
        {actions.map((action) => (
          <Item key={action.id} {...action} onChoose={onChoose} />
        ))}
        {sections.map(({ title, actions, chosen }) => (
          <MenuSection
            key={title}
            className={classes.section}
            {...(chosen !== undefined && { selectionMode: 'single', selectedKeys: [chosen] })}
          >
            <Header className={classes.heading}>{title}</Header>
            {actions.map((action) => (
              <Item key={action.id} {...action} onChoose={onChoose} />
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Popover>
  );
}

interface ItemProps extends MenuAction {
  onChoose: MenuPopoverProps['onChoose'];
}

function Item({
  id,
  name,
  note,
  icon,
  isDangerous,
  isDisabled = false,
  run,
  href,
  isInNewTab,
  onChoose,
}: ItemProps) {
  return (
    <MenuItem
      id={id}
      textValue={name}
      isDisabled={isDisabled}
      className={join(classes.item, isDangerous && classes.danger)}
      {...(run && { onAction: () => onChoose(run) })}
      {...(href !== undefined && { href, ...(isInNewTab && { target: '_blank' }) })}
    >
      {({ isSelected }) => <ChoiceBody name={name} note={note} icon={icon} isSelected={isSelected} />}
    </MenuItem>
  );
}
