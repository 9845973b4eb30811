import * as z from 'zod';

export const invitationSchema = z.object({ customerName: z.string() });
export const invitationsSchema = z.array(invitationSchema);

export type Invitation = z.infer<typeof invitationSchema>;
