"""The mail to somebody who forgot the password: asked for by a page, sent by a worker.

The page does the same work whether or not there is an account with the address: a mail that was
sent while it waits would tell by the time it takes, and by the error of a server that refuses it.
"""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core.mail import send_mail
from django.template.loader import render_to_string

from annotation.addresses import new_password_address
from annotation.models import User

TEMPLATE = "account/email/password_reset_key"


def ask_for_link(address: str, origin: str) -> None:
    """Have a link sent to the accounts with the address, if there are any.

    What is queued holds no address, only numbers of accounts: an erased one leaves nothing there.
    """
    from annotation.tasks import send_password_links  # the task calls this module

    accounts = User.objects.filter(email__iexact=address.strip(), is_active=True).order_by("pk")
    # By name: the first argument without one is the number of a job.
    send_password_links.enqueue(accounts=list(accounts.values_list("pk", flat=True)), origin=origin)


def send_links(accounts: list[int], origin: str) -> None:
    """Send each of the accounts a link, to the address that it has now."""
    for user in User.objects.filter(pk__in=accounts, is_active=True).exclude(email=""):
        token = default_token_generator.make_token(user)
        url = new_password_address(user_pk_to_url_str(user), token, origin)
        subject = render_to_string(f"{TEMPLATE}_subject.txt").strip()
        text = render_to_string(f"{TEMPLATE}_message.txt", {"password_reset_url": url})
        send_mail(subject, text.strip() + "\n", None, [user.email])
