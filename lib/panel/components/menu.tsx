import type { ReactElement, ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as Base,
  type MenuProps as BaseProps,
  MenuItem as Item,
  type MenuItemProps as ItemProps,
  MenuTrigger,
  MenuSection as Section,
  Text,
} from 'react-aria-components/Menu';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { join } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './popover.module.css';

interface MenuProps extends Omit<BaseProps<object>, 'className' | 'style' | 'children'> {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly label?: string | undefined;
  readonly placement?: PopoverProps['placement'];
  readonly children: ReactNode;
}

/** A button with a menu of {@link MenuItem}s and {@link MenuSection}s. */
export function Menu({ trigger, label, placement = 'bottom end', children, ...rest }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classes['popover'] as string} placement={placement ?? 'bottom end'} offset={4}>
        <Base {...rest} {...(label && { 'aria-label': label })} className={classes['list'] as string}>
          {children}
        </Base>
      </Popover>
    </MenuTrigger>
  );
}

interface MenuItemProps extends Omit<ItemProps, 'className' | 'style' | 'children'> {
  readonly icon?: IconName | undefined;
  /** Its text begins with a verb. */
  readonly children: string;
  readonly note?: string | undefined;
  readonly isDangerous?: boolean | undefined;
}

export function MenuItem({ icon, note, isDangerous, children, ...rest }: MenuItemProps) {
  return (
    <Item {...rest} textValue={children} className={join(classes['item'], isDangerous && classes['danger'])}>
      {({ isSelected }) => (
        <>
          {icon && <Icon name={icon} />}
          <Text slot="label" className={classes['text'] as string}>
            {children}
          </Text>
          {note && (
            <Text slot="description" className={classes['note'] as string}>
              {note}
            </Text>
          )}
          {isSelected && (
            <span className={classes['check']}>
              <Icon name="check" />
            </span>
          )}
        </>
      )}
    </Item>
  );
}

interface MenuSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function MenuSection({ title, children }: MenuSectionProps) {
  return (
    <Section className={classes['section'] as string}>
      <Header className={classes['heading'] as string}>{title}</Header>
      {children}
    </Section>
  );
}

/** Choices of which one is chosen, as a part of a menu. */
export function MenuChoice({
  title,
  selected,
  onSelect,
  children,
}: MenuSectionProps & { readonly selected: string; readonly onSelect: (key: string) => void }) {
  return (
    <Section
      className={classes['section'] as string}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={(keys) => {
        const [key] = [...keys];
        if (typeof key === 'string') onSelect(key);
      }}
    >
      <Header className={classes['heading'] as string}>{title}</Header>
      {children}
    </Section>
  );
}
