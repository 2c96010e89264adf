"""Addresses of the pages."""

from django.urls import path

from annotation.views import home, members, welcome

urlpatterns = [
    path("", home.home, name="home"),
    path("new/", home.project_new, name="project_new"),
    path("welcome/<str:secret>/", welcome.password_link, name="password_link"),
    path("p/<slug:slug>/members/", members.members, name="members"),
    path("p/<slug:slug>/members/<int:pk>/", members.member, name="member"),
    path("p/<slug:slug>/members/<int:pk>/link/", members.member_link, name="member_link"),
    path("p/<slug:slug>/members/<int:pk>/remove/", members.member_remove, name="member_remove"),
]
