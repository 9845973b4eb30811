import { HQ_ROLES, isHqRole, OFFICE_ROLES, type Role } from '@brightpane/contract/office-rights';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { useState } from 'react';
import { roleWord } from '../../lib/me/role-words.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { CheckboxList } from '../../ui/fields/checkbox-list.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';

/** **Role**, and **Franchises** for office roles. An owner can give only office roles in their own franchises. */
export function StaffFields({
  present,
  franchiseIds,
  errors,
}: {
  /** The role before. */
  present: Role;
  franchiseIds: number[];
  errors: FieldErrors;
}) {
  const me = useMe();
  // Until another one is chosen it follows the role that somebody else gives meanwhile, as the franchises do.
  const [typed, setTyped] = useState<Role | null>(null);
  const chosen = typed ?? present;
  const roles: readonly Role[] = isHqRole(me.role) ? [...HQ_ROLES, ...OFFICE_ROLES] : OFFICE_ROLES;
  return (
    <>
      <SelectField
        label="Role"
        name="role"
        value={chosen}
        onChange={({ target }) => setTyped(target.value as Role)}
        options={roles.map((each) => ({ value: each, text: roleWord(each) }))}
        errors={errors.role}
      />
      {isHqRole(chosen) ? (
        <p>Sees all franchises.</p>
      ) : (
        <CheckboxList
          legend="Franchises"
          name="franchiseIds"
          choices={me.franchises.map(({ franchiseId, name }) => ({
            value: String(franchiseId),
            text: `${franchiseId} ${name}`,
          }))}
          chosen={franchiseIds.map(String)}
          errors={errors.franchiseIds}
        />
      )}
    </>
  );
}

/** The fields' values, as the calls take them. */
export function readStaffFields(form: FormData): { role: Role; franchiseIds?: number[] } {
  const role = form.get('role') as Role;
  return isHqRole(role) ? { role } : { role, franchiseIds: form.getAll('franchiseIds').map(Number) };
}
