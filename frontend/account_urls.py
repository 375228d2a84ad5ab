"""The addresses at which people sign in and look after their accounts.

They stand outside the names of the other pages: allauth looks for them by names of its own. What is not here
cannot be reached.
"""

from __future__ import annotations

from typing import Final

from django.urls import URLPattern, URLResolver, path, re_path

from frontend.views import accounts, factors, invitations, outside, passkeys, sign_in

urlpatterns: Final[list[URLPattern | URLResolver]] = [
    path("sign-in", sign_in.SignIn.as_view(), name="account_login"),
    path("sign-out", sign_in.sign_out, name="account_logout"),
    path("sign-in/confirm", sign_in.Confirm.as_view(), name="account_reauthenticate"),
    path("sign-in/confirm/code", factors.ConfirmByCode.as_view(), name="mfa_reauthenticate"),
    path("sign-in/confirm/passkey", passkeys.Confirm.as_view(), name="mfa_reauthenticate_webauthn"),
    path("sign-in/second", factors.SecondFactor.as_view(), name="mfa_authenticate"),
    path("sign-in/passkey", passkeys.SignIn.as_view(), name="mfa_login_webauthn"),
    path("sign-in/with/<slug:provider_id>", outside.begin, name="openid_connect_login"),
    path("sign-in/with/<slug:provider_id>/back", outside.back, name="openid_connect_callback"),
    path("sign-in/forgotten", sign_in.forgotten, name="account_reset_password"),
    re_path(
        r"^sign-in/new-password/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[0-9A-Za-z-]{1,80})$",
        sign_in.NewPassword.as_view(),
        name="account_reset_password_from_key",
    ),
    path("invitation", invitations.invitation, name="invitation"),
    path("account/", accounts.account, name="account"),
    path("account/password", accounts.ChangePassword.as_view(), name="account_change_password"),
    path("account/app", factors.AddApp.as_view(), name="mfa_activate_totp"),
    path("account/app/remove", factors.RemoveApp.as_view(), name="mfa_deactivate_totp"),
    path("account/codes", factors.Codes.as_view(), name="mfa_view_recovery_codes"),
    path("account/codes/new", factors.NewCodes.as_view(), name="mfa_generate_recovery_codes"),
    path("account/passkeys/add", passkeys.Add.as_view(), name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/rename", passkeys.Rename.as_view(), name="mfa_edit_webauthn"),
    path("account/passkeys/<int:pk>/remove", passkeys.Remove.as_view(), name="mfa_remove_webauthn"),
    path("account/identities/<slug:provider_id>/add", outside.connect, name="account_add_identity"),
    path("account/identities/<int:pk>/remove", outside.remove, name="account_remove_identity"),
    path("account/sessions/end", accounts.end_session, name="account_end_session"),
]
