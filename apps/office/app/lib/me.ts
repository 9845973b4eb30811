/** Who is signed in, as the server says. */
export type Me = {
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  rights: string[];
  franchises: MyFranchise[];
  shortcuts: boolean;
  recoveryCodesLeft: number;
  endsAt: string;
  isDemo: boolean;
};

export type MyFranchise = { franchiseId: number; name: string; timeZone: string };
