import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { strings } from '../strings.ts';

export type Role = keyof typeof strings.roles;

const roles = ['member', 'owner'] as const satisfies readonly Role[];

interface RoleChoiceProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** The roles, each with what it allows. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <RadioGroup
      name="role"
      label={strings.members.role}
      value={value}
      onChange={(role) => onChange(role as Role)}
    >
      {roles.map((role) => (
        <Radio key={role} value={role} note={strings.roles[role].note}>
          {strings.roles[role].name}
        </Radio>
      ))}
    </RadioGroup>
  );
}
